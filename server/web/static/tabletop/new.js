// A new game: a name where one has no account, one tap on a mission.

import { api } from "../api.js";
import { sayProblem } from "./dom.js";
import { becomeGuest } from "./guest.js";

const form = document.getElementById("new-table");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = event.submitter;
  const fields = new FormData(form);
  const take = fields.get("take");
  const wanted = { [button?.name || "mission"]: button?.value, take: take === "solo" ? "red" : take };
  if (take === "both") wanted.other = String(fields.get("other")).trim();
  const table = sizes(fields, "width", "height");
  if (Object.keys(table).length) wanted.table = table;
  Object.assign(wanted, sizes(fields, "minutes"));
  const settings = rulings();
  if (fields.get("patrol_phase") && mayPatrol(button)) settings.patrol_phase = true;
  if (Object.keys(settings).length) wanted.settings = settings;
  if (button?.dataset.campaign) wanted.campaign = button.dataset.campaign;
  try {
    if (fields.has("guest")) await becomeGuest(fields.get("guest"));
    const { data } = await api("POST", "/tables", wanted);
    location.href = `/tables/${data.id}`;
  } catch (error) {
    document.getElementById("problem").textContent = sayProblem(error);
  }
});

/** The numbers that were typed; what is left empty is the mission's own. */
function sizes(fields, ...names) {
  return Object.fromEntries(names.filter((name) => fields.get(name)).map((name) => [name, Number(fields.get(name))]));
}

/** The rulings that are not the default; yes or no is true or false. */
function rulings() {
  const changed = [...form.querySelectorAll("select[data-ruling]")].filter((select) => select.selectedIndex > 0);
  return Object.fromEntries(changed.map((select) => [select.name, select.value === "true" || select.value]));
}

/** Against the dice only their own mission is played; the others need two. Two with one phone need two names. */
function show() {
  const take = new FormData(form).get("take");
  const solo = take === "solo";
  const second = document.getElementById("second-player");
  second.hidden = take !== "both";
  second.querySelector("input").required = take === "both";
  for (const section of form.querySelectorAll(".tt-family")) section.hidden = (section.dataset.family === "posture") !== solo;
  document.getElementById("patrol-first").hidden = solo;
}

/** A Patrol phase comes before a battle, not before itself. */
function mayPatrol(button) { return button?.closest(".tt-family")?.dataset.family !== "patrol"; }

/** Keep a mission of one's own: everything that is wrong with its file is named. */
async function uploadMission() {
  const [file] = document.getElementById("mission-file").files;
  const source = file ? await file.text() : document.getElementById("mission-source").value;
  try {
    await api("POST", "/missions", { source });
    location.reload();
  } catch (error) {
    document.getElementById("mission-problem").textContent = sayProblem(error);
  }
}
document.getElementById("add-mission")?.addEventListener("click", uploadMission);
form.addEventListener("change", show);
show();
