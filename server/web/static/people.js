// Letters: they arrive while one looks, are noted as read once seen, and what is being written is kept.

import { api } from "./api.js";

const campaign = document.body.dataset.campaign;
const EVENTS = { message: "letters", announcement: "letters", declaration: "declared", seen_again: "letters" };

document.addEventListener("live", (event) => {
  const name = EVENTS[event.detail.kind];
  if (name) document.dispatchEvent(new CustomEvent(name));
});

const seen = new IntersectionObserver((entries) => {
  for (const each of entries) {
    if (!each.isIntersecting) continue;
    const letter = /** @type {HTMLElement} */ (each.target);
    seen.unobserve(letter);
    api("PUT", `/campaigns/${campaign}/messages/${letter.dataset.unread}/read`).catch(() => seen.observe(letter));
  }
}, { threshold: 0.5 });

function watch() {
  for (const each of document.querySelectorAll("[data-unread]")) seen.observe(each);
}
watch();
document.body.addEventListener("htmx:afterSettle", watch);

const form = document.querySelector("form[data-draft]");
if (form) {
  const key = `letter/${form.dataset.draft}`;
  const body = form.elements.namedItem("body");
  if (!body.value) body.value = localStorage.getItem(key) ?? "";
  body.addEventListener("input", () => localStorage.setItem(key, body.value));
  form.addEventListener("submit", () => localStorage.removeItem(key));
}
