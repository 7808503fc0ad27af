// "Your salts" on the dice page: who keeps them, the code of the key, the receipts.

import { codeOf, drawn, giveBack, keep, keyOf, stir } from "./salts.js";
import { receiptsOf } from "./receipts.js";
import { possible } from "./dice.js";
import { t } from "./texts.js";

const box = document.getElementById("own-salts"), campaign = box?.dataset.campaign;
const at = (id) => document.getElementById(id);

function show(message = "") {
  const key = keyOf(campaign);
  at("salts-state").textContent = t(key ? "dice.js.kept_here" : "dice.js.kept_by_server");
  at("salts-code").textContent = codeOf(key);
  at("salts-keep").hidden = Boolean(key);
  at("salts-back").hidden = at("salts-code").hidden = !key;
  at("salts-said").textContent = message;
  const receipts = receiptsOf(campaign), link = at("salts-receipts");
  link.hidden = !receipts;
  link.href = `data:text/plain;charset=utf-8,${encodeURIComponent(receipts)}`;
}

async function doing(work) {
  try { await work(); show(); } catch (error) { show(error.message); }
}

if (box && possible()) {
  box.hidden = false;
  at("salts-keep").addEventListener("click", () => doing(() => { keep(campaign, drawn()); return stir(campaign); }));
  at("salts-back").addEventListener("click", () => doing(() => giveBack(campaign)));
  at("salts-enter").addEventListener("submit", (event) => {
    event.preventDefault();
    if (keep(campaign, at("salts-typed").value)) doing(() => stir(campaign));
    else show(t("dice.js.no_code"));
  });
  show();
  stir(campaign).then(() => show(), () => {});
}
