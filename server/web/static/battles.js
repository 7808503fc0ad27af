// What happens meanwhile: the page is shown anew, unless something typed would be lost.

import { t } from "./texts.js";

const NEWS = ["battle_reported", "battle_settled", "phase_opened", "rolled_back", "intervention"];
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
