// Building pieces of the page. Texts only ever become text nodes: whatever players call things stays text.

const SVG = "http://www.w3.org/2000/svg";
const TYPED = "input:not([type=checkbox], [type=radio]), textarea";

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "open") made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false));
  return made;
}

/** Make an element: `h("p", { class: "muted", onclick: f }, "text", [more])`. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Make an SVG element. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A text of a user's: it may run from right to left, and be long. */
export function said(text, attributes = {}) {
  return h("bdi", attributes, text);
}

/**
 * A button; `key` lets it keep the focus when its panel is drawn anew.
 * @param {any} label @param {(event: Event) => void} onclick @param {Record<string, any>} [more]
 */
export function button(label, onclick, { key, ...attributes } = {}) {
  return h("button", { type: "button", "data-key": key, onclick, ...attributes }, label);
}

let counted = 0;

/** Return a new id, for labels. */
export function newId() {
  return `t${(counted += 1)}`;
}

/** A labelled field. */
export function field(label, input, hint = null) {
  input.id ||= newId();
  const told = hint ? h("span", { class: "muted small", id: `${input.id}-hint` }, hint) : null;
  if (told) input.setAttribute("aria-describedby", told.id);
  return h("div", { class: "field" }, h("label", { for: input.id }, label), input, told);
}

/** A tick box with its label. */
export function tick(label, checked, onchange, key = null) {
  const box = h("input", { type: "checkbox", checked, "data-key": key, onchange: () => onchange(box.checked) });
  return h("label", { class: "check" }, box, h("span", {}, label));
}

/** A choice; `options` are `[value, text]`, or `[group, [options]]`. */
export function select(options, value, onchange, key = null) {
  const one = ([given, text]) =>
    Array.isArray(text) ? h("optgroup", { label: given }, text.map(one)) : h("option", { value: given }, text);
  const made = h("select", { "data-key": key, onchange: () => onchange(made.value) }, options.map(one));
  made.value = value;
  return made;
}

/**
 * Replace what is in a place. What had the focus there has it again, where it was on the screen, whatever has grown above it;
 * where that is gone, the heading it stood under takes both. A place used by mouse is not scrolled to a heading.
 */
export function redraw(place, ...children) {
  const focus = focused(), had = place.contains(focus) ? focus : null, top = place.scrollTop;
  const key = had?.dataset.key, head = had && headingOf(place, had), words = head?.textContent;
  const seen = had && inSight(had, place), marked = had?.matches(":focus-visible"), was = { had: topOf(had), head: topOf(head) };
  place.replaceChildren(...children.flat(Infinity).filter(Boolean));
  place.scrollTop = top;
  if (!had) return;
  const again = focusIn(place, key, words), here = focused();
  if (again && here.matches(TYPED)) typeOn(had, here);
  if (!seen) return;
  if (again) place.scrollTop += topOf(here) - was.had;
  else if (head && here.textContent === words) place.scrollTop += topOf(here) - was.head;
  if (again || marked) here.scrollIntoView({ block: "nearest" });
}

/** What has the focus. @returns {any} */
export function focused() { return document.activeElement; }

/** Go on with what is being typed, where it was being typed. */
function typeOn(before, here) {
  here.value = before.value;
  if (before.selectionStart !== null) here.setSelectionRange(before.selectionStart, before.selectionEnd);
}

/** Return the heading something stands under, or itself if it is one. */
function headingOf(place, each) {
  return [...place.querySelectorAll("h2, h3")].findLast((head) => head === each || head.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING);
}

function topOf(each) { return each?.getBoundingClientRect().top ?? 0; }

function inSight(each, place) {
  const box = each.getBoundingClientRect(), around = place.getBoundingClientRect();
  return box.bottom > around.top && box.top < around.bottom;
}

/** Give the focus to what has this key in a place, else to the heading with these words, else to the first. Say whether it is the former. */
function focusIn(place, key, words) {
  const again = key && [...place.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key && !each.disabled);
  const heads = [...place.querySelectorAll("h2, h3")], there = again || (heads.find((each) => each.textContent === words) ?? heads[0]);
  if (there && !again) there.tabIndex = -1;
  there?.focus({ preventScroll: true });
  return Boolean(again);
}

let spoken = 0;

/** Tell screen readers something that everybody else sees. */
export function announce(sentence) {
  const places = document.querySelectorAll("#announced > span");
  spoken = 1 - spoken;
  places[spoken].textContent = sentence;
  places[1 - spoken].textContent = "";
}

/** Open a dialog. Once it is closed, what opened it has the focus again, also where it was drawn anew meanwhile. */
export function openDialog(dialog, closed = () => {}) {
  const opener = focused(), place = opener.closest("[role=tabpanel], .dock-foot, .editor-body");
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (place && !opener.isConnected) focusIn(place, opener.dataset.key);
    closed();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** A dialog that closes by Escape; resolves to the value of the button that closed it, "" for none. */
export function ask(title, content, buttons) {
  return new Promise((done) => {
    const head = newId();
    const close = (value) => () => dialog.close(value);
    const dialog = h("dialog", { class: "dialog", "aria-labelledby": head },
      h("h2", { id: head }, title), content,
      h("div", { class: "row end" }, buttons.map(([value, label, look]) => button(label, close(value), { class: look ?? "" }))));
    openDialog(dialog, () => done(dialog.returnValue));
  });
}
