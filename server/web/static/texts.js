// The sentences a page brought along for its scripts: <script type="application/json" id="texts">.

const sentences = JSON.parse(document.getElementById("texts")?.textContent ?? "{}");

/** Return a sentence, its {names} filled in; with `n` the one for so many. */
export function t(key, filled = {}) {
  let found = key;
  if ("n" in filled && !(key in sentences)) found = `${key}.${filled.n === 1 ? "one" : "other"}`;
  return (sentences[found] ?? key).replace(/\{(\w+)\}/g, (whole, name) => (name in filled ? String(filled[name]) : whole));
}

/** Return the name of a word of the rules; the word itself where there is none. */
export function nameOf(table, word) {
  return sentences[`${table}.${word}`] ?? (word.charAt(0).toUpperCase() + word.slice(1)).replaceAll("_", " ");
}
