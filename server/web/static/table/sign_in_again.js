// The session has ended while somebody was at the table: the page stays, the orders stay, and they sign in over it.

import { api, Offline, Problem } from "../api.js";
import { t } from "../texts.js";
import { toast } from "../toast.js";
import { button, field, h, openDialog } from "./dom.js";

/** Take a session up: the page sends along what proves that it is its own. */
function take(table, session) {
  if (session.account.id !== table.about.user) { location.reload(); return; } // somebody else: this is not their page
  document.querySelector('meta[name="csrf-token"]').content = session.csrf_token;
  toast(t("table.again.back"));
  table.draft.resume();
}

/** Go on with the session there is by now, or ask for the password. */
export async function signInAgain(table) {
  try {
    const { data } = await api("GET", "/sessions/current");
    if (data.csrf_token) { take(table, data); return; }
  } catch (error) {
    if (error instanceof Offline) { table.draft.resume(); return; }
    if (!(error instanceof Problem)) throw error;
  }
  ask(table);
}

function ask(table) {
  const { draft } = table, n = draft.items.length, here = location.pathname + location.search;
  const name = h("input", { name: "name", autocomplete: "username", required: true }), password = h("input", { name: "password", type: "password", autocomplete: "current-password", required: true });
  const wrong = h("p", { class: "problem", role: "alert", hidden: true });
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": "again-title" });
  const enter = async (event) => {
    event.preventDefault();
    try {
      const { data } = await api("POST", "/sessions", { name: name.value, password: password.value });
      dialog.close();
      take(table, data);
    } catch (error) {
      if (!(error instanceof Offline || error instanceof Problem)) throw error;
      if (error instanceof Problem && error.code === "second_factor_needed") { location.href = `/sign-in?next=${encodeURIComponent(here)}`; return; }
      wrong.textContent = error instanceof Offline ? t("frame.offline") : error.message;
      wrong.hidden = false;
    }
  };
  dialog.append(h("form", { class: "stack", onsubmit: enter },
    h("h2", { id: "again-title" }, t("table.again.title")),
    h("p", { class: "said small" }, t(n ? "table.again.safe" : "table.again.nothing", { n })),
    wrong, field(t("table.again.name"), name), field(t("table.again.password"), password),
    h("div", { class: "row" }, h("button", { class: "primary" }, t("table.again.sign_in")),
      h("a", { href: "/mail-link" }, t("table.again.link")), button(t("table.close"), () => dialog.close(), { class: "quiet push" }))));
  openDialog(dialog);
}
