// The end of a game: what is agreed on, in words, and the way on.

import { data, make, t } from "./dom.js";
import { chip, problem } from "./next.js";
import { offered, player } from "./offers.js";
import { change, mine, state } from "./store.js";
import { openUndo } from "./undo.js";

/** What the foot shows once the battle is over. */
export function closing(info) {
  const mineToConfirm = info.seats.some((seat) => seat.yours && !seat.confirmed);
  const { vp } = state.position.view;
  if (info.status === "over" && mineToConfirm) {
    const confirm = make("button", { class: `primary ${mine().length === 1 ? mine()[0] : ""}`, id: "confirm-result", onclick: () => change("POST", "/confirm", {}).catch(problem) },
      ...(state.position.view.vp_log.length ? [make("b", {}, t("tt.agree", { red: vp.red, blue: vp.blue })), make("small", {}, outcome())] : [make("b", {}, t("tt.agree_result", { what: outcome() }))]));
    const edit = mine().map((side) => (offered("take_back", side) ? chip(`tt-undo-${side}`, "", t("tt.edit"), () => openUndo(side)) : null)).filter(Boolean);
    return [
      make("p", { class: "said", id: "verdict" }, state.report?.reason ? verdict(info) : inWords()),
      edit.length ? make("div", { class: "tt-chips" }, edit) : null, confirm];
  }
  const watch = data.watch ? `?watch=${encodeURIComponent(data.watch)}` : "";
  const back = info.battle ? make("a", { class: "button", href: `/campaigns/${info.campaign}/battles#t${info.hex}` }, info.status === "closed" ? t("tt.over") : t("tt.confirmed")) : null;
  return make("p", { class: "tt-buttons" }, make("a", { class: "button primary", href: `/tables/${data.id}/result${watch}` }, t("tt.result")), back);
}

function outcome() {
  const { view } = state.position;
  return view.winner ? t("tt.wins", { who: player(view.winner) }) : t("tt.draw");
}

/** What is agreed on: the score, and what each side had for its painted army. */
function inWords() {
  const { vp, vp_log: scores } = state.position.view;
  const painted = scores.filter((one) => one.reason === "battle ready");
  const told = ["red", "blue"].map((side) => {
    const vps = painted.filter((one) => one.player === side).reduce((sum, one) => sum + one.vp, 0);
    return vps ? t("tt.painted_for", { n: vps, who: player(side) }) : t("tt.painted_none", { who: player(side) });
  });
  const score = t("tt.score_to", { red: vp.red, blue: vp.blue });
  if (!scores.length) return `${outcome()}.`;
  return painted.length ? `${score}. ${t("tt.painted", { said: told.join(", ") })}` : `${score}. ${outcome()}.`;
}

/** Why the campaign's winner is not the mission's, in a sentence. */
function verdict(info) {
  const { reason, result } = state.report;
  const [won, lost] = info.battle.players.red === result.winner ? ["red", "blue"] : ["blue", "red"];
  return t(`tt.why_${reason}`, { winner: player(won), loser: player(lost) });
}
