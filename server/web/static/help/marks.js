// Makes the words of the rules on a page open their piece of the rulebook, also in what is drawn later.

/** What is left as it is: controls, headings, texts of players, pictures, what is only read out. */
const LEFT = "a, button, input, textarea, select, option, summary, h1, h2, h3, h4, svg, script, style, code, pre, bdi, nav, dialog.help-dialog, dt, .badge, .visually-hidden, .toast, .term, [data-plain], [aria-live]:not(.piece-body)";

/**
 * Put links around the words that were found in a text node.
 * @param {Text} node
 * @param {ReturnType<import("./words.js").Words["find"]>} found
 * @param {boolean} inRow
 * @param {string} base
 */
function link(node, found, inRow, base) {
  const text = node.data, pieces = document.createDocumentFragment();
  let at = 0;
  for (const each of found) {
    const made = document.createElement("a"), end = each.at + each.length;
    made.className = "term";
    made.href = `${base}?q=${encodeURIComponent(each.title)}`;
    made.dataset.piece = each.key;
    made.dataset.title = each.title;
    made.tabIndex = -1; // the keyboard has them all in the help dialog: a page would be nothing but stops
    made.textContent = text.slice(each.at, end);
    pieces.append(text.slice(at, each.at), made);
    at = end;
  }
  pieces.append(text.slice(at));
  if (!inRow) return node.replaceWith(pieces);
  const whole = document.createElement("span"); // else every word would be a box of its own in the row
  whole.append(pieces);
  node.replaceWith(whole);
}

/**
 * Return the words of a text node, and whether it is an item of a row.
 * @param {Text} node
 * @param {import("./words.js").Words} words
 */
function look(node, words) {
  const found = node.data.length > 1 ? words.find(node.data) : [], around = node.parentElement;
  return { node, found, inRow: Boolean(found.length && around && getComputedStyle(around).display.includes("flex")) };
}

/**
 * Mark the words in an element.
 * @param {Node} place
 * @param {import("./words.js").Words} words
 * @param {string} base
 */
export function mark(place, words, base) {
  if (!place.isConnected || place.parentElement?.closest(LEFT)) return;
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element ? (node.matches(LEFT) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP) : NodeFilter.FILTER_ACCEPT);
  /** @type {Text[]} */
  const texts = [];
  if (place instanceof Text) texts.push(place);
  else if (place instanceof Element && place.matches(LEFT)) return;
  else while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  const looked = texts.map((each) => look(each, words)); // all before the first change: each look after one computes the styles again
  for (const { node, found, inRow } of looked) if (found.length) link(node, found, inRow, base);
}

/**
 * Mark what is there, and whatever is drawn later; when the page has nothing else to do.
 * @param {Element} place
 * @param {import("./words.js").Words} words
 * @param {string} base
 */
export function keepMarked(place, words, base) {
  const idle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 60));
  /** @type {Set<Node>} */
  let waiting = new Set([place]);
  let asked = false;
  const work = () => {
    asked = false;
    const now = waiting;
    waiting = new Set();
    for (const each of now) mark(each, words, base);
    watch.takeRecords(); // what was just marked is no news
  };
  const ask = () => { if (!asked) { asked = true; idle(work); } };
  const watch = new MutationObserver((changes) => {
    for (const change of changes) for (const node of change.addedNodes) waiting.add(node);
    if (waiting.size) ask();
  });
  watch.observe(place, { childList: true, subtree: true });
  ask();
}
