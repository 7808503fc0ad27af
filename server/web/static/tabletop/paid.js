// Stratagems of other books as a list of names with their cost: those of the core rules, and the club's.

import { fill, make, t } from "./dom.js";
import { perform } from "./next.js";
import { offered } from "./offers.js";
import { closeSheet, openSheet, sheet, title } from "./sheet.js";
import { state } from "./store.js";

/** Show what a side may pay for; what it cannot pay, or what is forbidden it, says so. */
export function openPaid(side) {
  const options = offered("spend", side) ?? [];
  const known = state.rules?.paid ?? [];
  if (!known.length) { openSheet(options); return; }
  fill(sheet(), title(t("tt.stratagem")), make("p", { class: "muted" }, t("tt.have_cp", { n: state.position.view.cp[side] })),
    known.map((one) => row(side, one, options[0])),
    make("p", { class: "tt-buttons" }, make("button", { onclick: closeSheet }, t("tt.cancel")), make("button", { id: "tt-other-stratagem", onclick: () => openSheet(options) }, t("tt.other_stratagem"))));
  if (!sheet().open) sheet().showModal();
}

function row(side, one, option) {
  const why = (state.position.view.rules[`no_${one.id}`] ?? []).includes(side) ? t("tt.comms_sabotaged") : state.position.view.cp[side] < one.cp ? t("tt.too_dear") : "";
  return make("button", { class: "tt-act stratagem", "data-stratagem": one.id, disabled: Boolean(why), onclick: () => pay(side, one, option) }, make("b", {}, one.name), make("i", {}, t("tt.cost", { n: one.cp })), why ? make("span", {}, why) : null);
}

/** Pay; a stratagem that needs a target near its Warlord asks for that first. */
function pay(side, one, option) {
  const within = state.rules.near?.[one.id];
  const send = async (more = {}) => {
    const done = await perform(option, { stratagem: one.id, cp: one.cp, ...more });
    if (done === true) closeSheet();
    else document.getElementById("paid-said").textContent = done;
  };
  fill(sheet(), title(one.name), make("p", {}, t("tt.other_sees")), make("p", { role: "alert", class: "bad", id: "paid-said" }),
    make("p", { class: "tt-buttons" }, make("button", { onclick: () => openPaid(side) }, t("tt.cancel")),
      make("button", { class: `primary ${side}`, id: "do-act", onclick: () => send(within ? { near: within } : {}) }, make("b", {}, t("tt.use_for", { what: one.name, n: one.cp })), within ? make("small", {}, t("tt.near_warlord", { n: within })) : null)));
}
