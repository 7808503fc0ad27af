// Dice as they fall: they roll for a moment, then stay with their label until the next tap, which goes through them.

import { fill, make, t } from "./dom.js";
import { state } from "./store.js";

let seen = null;
const FACES = ["", "⚀", "⚁", "⚂", "⚃", "⚄", "⚅"];

export function showDice(place) {
  const last = state.log.at(-1)?.number ?? -1;
  if (seen === null || last < seen) { seen = last; return; }
  const fresh = state.log.filter((entry) => entry.number > seen).flatMap((entry) => entry.dice);
  seen = last;
  if (!fresh.length) return;
  const dice = fresh.map((die) => make("figure", {},
    make("span", { class: "die rolling", "data-face": die.face }, FACES[die.face] ?? String(die.face)),
    make("figcaption", {}, die.label, ": ", make("b", {}, String(die.face)))));
  fill(place, make("h2", { class: "visually-hidden" }, t("tt.rolled")), ...dice);
  place.hidden = false;
  document.getElementById("tt-rolled").textContent = fresh.map((die) => `${die.label}: ${die.face}`).join("; ");
  document.addEventListener("pointerdown", () => { place.hidden = true; }, { once: true }); // the tap itself goes to what lies below
  clearTimeout(place.timer);
  place.timer = setTimeout(() => { place.hidden = true; }, 6000);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const die of place.querySelectorAll(".die")) tumble(die);
}

function tumble(die) {
  const face = die.textContent;
  let turns = 9;
  const timer = setInterval(() => {
    die.textContent = turns-- > 0 ? FACES[1 + Math.floor(Math.random() * 6)] : face;
    if (turns < 0) { clearInterval(timer); die.classList.remove("rolling"); }
  }, 70);
}
