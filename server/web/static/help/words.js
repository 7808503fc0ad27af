// Finds the words of the rules in texts: numbers of sections, decisions, terms of the glossary and of the ruleset.

/** Endings that a word may have in a sentence. */
const ENDINGS = { en: "(?:s|es|'s)?", de: "(?:n|en|e|s|es|er|ern)?" };

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
/** Words in capitals such as BP count only as they are. */
const shouted = (word) => word === word.toUpperCase();

/**
 * What a page looks for.
 * @typedef {{ key: string, title: string, at: number, length: number }} Found
 */
export class Words {
  /**
   * @param {{ terms: [string, string, string[]][], sections: string[], decisions: string[] }} given what the server explains
   * @param {string} language
   */
  constructor({ terms, sections, decisions }, language) {
    /** @type {Map<string, { key: string, title: string, word: string }>} */
    this.terms = new Map();
    for (const [key, title, words] of terms) {
      for (const word of words) if (!this.terms.has(word.toLowerCase())) this.terms.set(word.toLowerCase(), { key, title, word });
    }
    this.sections = new Set(sections);
    this.decisions = new Set(decisions);
    const longest = [...this.terms.values()].map((each) => each.word).sort((a, b) => b.length - a.length);
    const plain = longest.map(escaped).join("|");
    this.pattern = new RegExp(`(?<![\\p{L}\\p{N}_.-])(?:(?<section>\\d(?:\\.\\d)+)(?![\\p{N}.]\\d)|(?<decision>[DR]-\\d\\d[a-z]?)${
      plain ? `|(?<term>${plain})${ENDINGS[language] ?? ""}` : ""})(?![\\p{L}\\p{N}_])`, "giu");
  }

  /**
   * Return what a text names, in order.
   * @param {string} text
   * @returns {Found[]}
   */
  find(text) {
    /** @type {Found[]} */
    const found = [];
    for (const hit of text.matchAll(this.pattern)) {
      const what = this.meaning(hit.groups ?? {}, text, hit.index);
      if (what) found.push({ ...what, at: hit.index, length: hit[0].length });
    }
    return found;
  }

  /**
   * @param {Record<string, string | undefined>} groups
   * @param {string} text
   * @param {number} at
   */
  meaning({ section, decision, term }, text, at) {
    if (section) return this.sections.has(section) && this.cited(text, at) ? { key: section, title: section } : null;
    if (decision) return this.decisions.has(decision) ? { key: decision, title: decision } : null;
    const known = this.terms.get((term ?? "").toLowerCase().replace(/\s+/g, " "));
    return known && (!shouted(known.word) || known.word === term) ? { key: known.key, title: known.title } : null;
  }

  /**
   * Numbers such as 5.1 are cited in brackets, after a comma there, or alone in a cell.
   * @param {string} text
   * @param {number} at
   */
  cited(text, at) {
    return /(?:^\s*|[([]\s*|[([][^)\]]*[,;]\s*|§\s*)$/u.test(text.slice(0, at));
  }
}
