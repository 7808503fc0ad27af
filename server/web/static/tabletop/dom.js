// Small helpers: elements, words, one game's constant data.

import { told } from "../texts.js";

export const data = JSON.parse(document.getElementById("tt-data")?.textContent ?? "{}");

/** A sentence of the page, filled in; the key itself where there is none. */
export function t(key, filled = {}) {
  const text = data.words?.[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in filled ? String(filled[name]) : whole));
}

/** The name of a word of the referee (`word("act", "end_phase")`); the word itself, readable, where there is none. */
export function word(table, value) {
  const known = data.words?.[`${table}.${value}`];
  if (known) return known;
  const plain = String(value).replaceAll("_", " ");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** An element: `make("button", {class: "x", onclick: f}, "text", child)`. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** An element of a drawing. */
export function shape(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** Put children into an element instead of what it has. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter(Boolean));
  return element;
}

/** What went wrong, for people: the problems of a refused act, or the sentence of the error. */
export function sayProblem(error) {
  const problems = error.problems ?? [];
  if (problems.length) return problems.map((problem) => `${told(problem.template, problem.params) || problem.message}${problem.rule ? ` (${problem.rule})` : ""}`).join(" ");
  return error.message;
}
