// The sentences a page brought along for its scripts: <script type="application/json" id="texts">.

const brought = document.getElementById("texts");
const sentences = JSON.parse(brought?.textContent ?? "{}");
let learning = null;

/** Fetch what the rules and the API may say in the reader's language; once, when something is refused for the first time. */
export function learn() {
  if (!brought?.dataset.told) return null;
  learning ??= fetch(brought.dataset.told).then((answer) => answer.json()).then((told) => Object.assign(sentences, told)).catch(() => { learning = null; });
  return learning;
}

/** Return a sentence, its {names} filled in; with `n` the one for so many. */
export function t(key, filled = {}) {
  let found = key;
  if ("n" in filled && !(key in sentences)) found = `${key}.${filled.n === 1 ? "one" : "other"}`;
  return (sentences[found] ?? key).replace(/\{(\w+)\}/g, (whole, name) => (name in filled ? String(filled[name]) : whole));
}

/** Return what a thing is called that a ruleset names in English; that name where we have none. */
export function called(name) {
  return sentences[`name.${name}`] ?? name;
}

/** Return a sentence that the rules or the API said in English in the reader's language; "" where we have none. */
export function told(template, params = {}) {
  const ours = sentences[`told.${template}`];
  return ours?.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? said(params[name]) : whole)) ?? "";
}

/** What fills a place: a text, a number, `{name}` of the ruleset, `{word}` of the rules, another sentence, or several. */
function said(value) {
  if (Array.isArray(value)) return value.map(said).join(", ");
  if (value?.name) return called(value.name);
  if (value?.word) return sentences[`word.${value.word}`] ?? sentences[value.word] ?? value.word.split(".").at(-1).replaceAll("_", " ");
  if (value?.template) return told(value.template, value.params) || value.template;
  return String(value);
}

/** Return the name of a word of the rules; the word itself where there is none. */
export function nameOf(table, word) {
  return sentences[`${table}.${word}`] ?? (word.charAt(0).toUpperCase() + word.slice(1)).replaceAll("_", " ");
}
