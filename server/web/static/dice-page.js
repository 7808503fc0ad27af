// The button of the dice page.

import { check, possible } from "./dice.js";
import { t } from "./texts.js";

const data = JSON.parse(document.getElementById("dice-data").textContent);
const button = document.getElementById("check");
const verdict = document.getElementById("verdict");

function mark(cell, right, more) {
  if (!cell) return;
  const kind = right === null ? "open" : right ? "right" : "wrong";
  cell.className = `result ${kind}`;
  cell.textContent = `${{ right: "✓", wrong: "✗", open: "–" }[kind]} ${t(`dice.js.${kind}`)}`;
  if (more > 0) cell.textContent += ` ${t("dice.js.steps", { n: more })}`;
}

async function all() {
  button.disabled = true;
  verdict.textContent = t("dice.js.checking");
  const count = { right: 0, wrong: 0, open: 0, waiting: 0 };
  for (const phase of data.phases) {
    if (!phase.link) { count.waiting += phase.rolls.length; continue; }
    await check(data, phase, (what, right, more) => {
      count[right === null ? "open" : right ? "right" : "wrong"] += 1;
      mark(document.getElementById(`r-${phase.number}-${what}`), right, more);
    });
  }
  verdict.className = `verdict result ${count.wrong ? "wrong" : "right"}`;
  verdict.textContent = [
    count.wrong ? t("dice.js.some_wrong", { n: count.wrong }) : t("dice.js.all_right", { n: count.right }),
    count.open ? t("dice.js.some_open", { n: count.open }) : "",
    count.waiting ? t("dice.js.some_waiting", { n: count.waiting }) : "",
  ].filter(Boolean).join(" ");
  for (const each of document.querySelectorAll("details.phase-rolls")) {
    if (each.querySelector(".result.wrong")) each.open = true;
  }
  button.disabled = false;
}

if (possible()) {
  button.addEventListener("click", all);
  button.hidden = false;
} else {
  verdict.textContent = t("dice.js.insecure");
}
