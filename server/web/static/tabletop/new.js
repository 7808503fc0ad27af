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
  if (Object.keys(settings).length) wanted.settings = settings;
  if (form.dataset.campaign) wanted.campaign = form.dataset.campaign;
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
}
form.addEventListener("change", show);
show();
