// A report that is begun is kept. What happens meanwhile: the page is shown anew, unless something typed would be lost.

import { t } from "./texts.js";
import { Unfinished } from "./unfinished.js";

const NEWS = ["battle_reported", "battle_settled", "table_opened", "table_agreement", "deadline_changed", "phase_opened", "rolled_back", "intervention"];
let typed = false;
let leaving = false;
document.addEventListener("input", () => { typed = true; });
document.addEventListener("submit", () => { leaving = true; });

document.addEventListener("live", (event) => {
  if (leaving || !NEWS.includes(event.detail.kind) || document.getElementById("news")) return;
  if (!typed) { location.reload(); return; }
  const news = document.createElement("p");
  news.id = "news";
  news.className = "news card";
  news.setAttribute("role", "status");
  const again = document.createElement("a");
  again.href = location.href.split("#")[0];
  again.textContent = t("battles.js.reload");
  news.append(t("battles.js.news"), " ", again);
  document.querySelector("main > .page").prepend(news);
});

// once it is reported it is begun from something else, and what was kept counts no more
for (const form of document.querySelectorAll("form[data-unfinished]")) {
  const { pathname, search } = new URL(form.action), kept = new Unfinished(`${form.dataset.unfinished} ${pathname}${search}`, form.dataset.begun);
  const fields = [...form.elements].filter((each) => each.name && each.type !== "hidden" && each.type !== "submit");
  const value = (each) => (each.type === "radio" || each.type === "checkbox" ? each.checked : each.value);
  const begun = "answered" in form.dataset ? null : kept.get(); // what was sent and refused is there already
  if (begun?.length === fields.length) {
    fields.forEach((each, at) => { each[typeof begun[at] === "boolean" ? "checked" : "value"] = begun[at]; });
    for (let each = form.closest("details"); each; each = each.parentElement.closest("details")) each.open = true;
  }
  form.addEventListener("input", () => kept.set(fields.map(value)));
}
