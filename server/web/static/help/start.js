// Help on every page: words of the rules open their piece; the help dialog lists them, for the keyboard, too.

import { keepMarked } from "./marks.js";
import { Pieces } from "./popover.js";
import { Words } from "./words.js";

const MOST = 60; // words that the dialog lists

const base = document.body.dataset.rules ?? "/rules";
const place = /** @type {HTMLElement} */ (document.getElementById("piece"));
const pieces = new Pieces(place, base);

/** @returns {Promise<void>} */
async function begin() {
  const answer = await fetch(`${base}/words`, { headers: { Accept: "application/json" } }).catch(() => null);
  if (!answer?.ok) return; // the links to the rulebook are there without it
  const words = new Words(await answer.json(), document.documentElement.lang);
  keepMarked(/** @type {Element} */ (document.getElementById("main")), words, base);
  keepMarked(place, words, base);
  document.documentElement.dataset.help = "ready";
}

document.addEventListener("click", (event) => {
  const clicked = /** @type {Element} */ (event.target).closest("[data-piece]");
  if (!(clicked instanceof HTMLElement) || /** @type {MouseEvent} */ (event).ctrlKey || /** @type {MouseEvent} */ (event).metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  pieces.open(clicked.dataset.piece ?? "", clicked);
}, true);

/** List the words of this page. */
function list() {
  /** @type {Map<string, string>} */
  const here = new Map();
  for (const each of document.querySelectorAll("#main .term")) {
    const { piece, title } = /** @type {HTMLElement} */ (each).dataset;
    if (piece && title && !here.has(piece) && here.size < MOST) here.set(piece, title);
  }
  const section = /** @type {HTMLElement} */ (document.getElementById("help-words"));
  section.hidden = here.size === 0;
  section.querySelector("ul")?.replaceChildren(...[...here].sort(([, a], [, b]) => a.localeCompare(b)).map(([key, title]) => {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.textContent = title;
    button.dataset.piece = key;
    item.append(button);
    return item;
  }));
}

/** The help dialog, which is made when somebody asks for it. */
function helpDialog() {
  const there = document.getElementById("help-dialog");
  if (there) return /** @type {HTMLDialogElement} */ (there);
  const source = /** @type {HTMLTemplateElement} */ (document.getElementById("help-source"));
  document.body.append(source.content.cloneNode(true));
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("help-dialog"));
  dialog.querySelector("[data-close]")?.addEventListener("click", () => dialog.close());
  return dialog;
}

document.getElementById("help")?.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const dialog = helpDialog();
  list();
  dialog.showModal();
});

begin();
