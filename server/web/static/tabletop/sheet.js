// What an act needs, asked on a sheet from below: one field after the other, with big targets.

import { enter, field } from "./fields.js";
import { fill, make, t, word } from "./dom.js";
import { perform } from "./next.js";
import { label } from "./offers.js";
import { state } from "./store.js";

export const sheet = () => document.getElementById("tt-sheet");

/** Ask for the fields of an act; where it is offered in several ways, which of them first. */
export function openSheet(options) {
  if (options.length > 1) chooseWay(options);
  else ask(options[0]);
  if (!sheet().open) sheet().showModal();
}

/** What tells the ways apart: the fields with one value each that differ. */
function chooseWay(options) {
  const names = [...new Set(options.flatMap((option) => Object.keys(option.fields)))];
  const telling = names.filter((name) => new Set(options.map((option) => JSON.stringify(option.fields[name]?.one_of ?? null))).size > 1);
  fill(sheet(),
    title(label(options[0])),
    make("div", { class: "tt-ways-list" }, options.map((option) => make("button", { onclick: () => ask(option, options) }, way(option, telling)))),
    make("p", { class: "tt-buttons" }, make("button", { onclick: closeSheet }, t("tt.cancel"))));
}

function way(option, telling) {
  const known = telling.filter((name) => option.fields[name]?.one_of);
  const parts = known.map((name) => { const [value, ...others] = option.fields[name].one_of; return others.length || value === true ? word("act_field", name.split(".").at(-1)) : enter.named(value); });
  return parts.join(" · ") || Object.keys(option.fields).map((name) => word("act_field", name.split(".").at(-1))).join(", ") || label(option);
}

function ask(option, others = null) {
  const names = Object.keys(option.fields);
  const values = {};
  const said = make("p", { role: "alert", class: "bad" });
  const send = make("button", { class: "primary", id: "do-act" }, label(option));
  const check = () => { send.disabled = names.some((name) => !option.fields[name].optional && values[name] === undefined); };
  const rows = names.map((name) => field(name, option.fields[name], (value) => {
    if (value === undefined) delete values[name];
    else values[name] = value;
    check();
  }, { act: option.do, values }));
  send.addEventListener("click", async () => {
    send.disabled = true;
    const done = await perform(option, values);
    if (done === true) closeSheet();
    else { said.textContent = done; send.disabled = false; }
  });
  fill(sheet(),
    title(label(option)),
    known(option),
    ...rows,
    said,
    make("p", { class: "tt-buttons" },
      make("button", { onclick: () => (others ? chooseWay(others) : closeSheet()) }, t("tt.cancel")), send));
  check();
  if (sheet().open) document.getElementById(TITLE).focus(); // what had the focus is gone
}

const TITLE = "tt-sheet-title";
export function title(text) { return make("h2", { id: TITLE, tabindex: -1 }, text); }

/** Close the sheet; who has opened it by keyboard goes on with the next step. */
export function closeSheet() {
  if (!sheet().open) return;
  sheet().close();
  if (document.activeElement === document.body) (document.getElementById("next-step") ?? document.querySelector("#tt-next button") ?? document.getElementById("tt-panel")).focus();
}

/** What a stratagem does, above what it asks. */
function known(option) {
  const named = option.fields.stratagem?.one_of ?? [];
  const stratagem = named.length === 1 ? state.rules?.stratagems?.[named[0]] : null;
  return stratagem ? make("p", { class: "lead" }, make("b", {}, `${stratagem.name} (${t("tt.cost", { n: stratagem.cost })}) `), stratagem.text) : null;
}
