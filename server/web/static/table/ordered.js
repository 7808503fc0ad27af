// A list of things in one's own order: hexes to withdraw to, units that fall first.

import { t } from "../texts.js";
import { announce, button, h, redraw, said, select } from "./dom.js";

/** An ordered choice; `options` are `[value, text]`. `onchange` gets the new list. */
export function ordered(options, value, onchange, label, locked = false) {
  const place = h("div", { class: "ordered" });
  let chosen = [...value];
  const name = (each) => options.find(([given]) => given === each)?.[1] ?? each;
  const set = (next) => { chosen = next; draw(); onchange(chosen); announce(chosen.map(name).join(", ")); };
  const swap = (from, to) => { const next = [...chosen]; [next[from], next[to]] = [next[to], next[from]]; set(next); };
  function draw() {
    const rest = options.filter(([each]) => !chosen.includes(each));
    const adding = select([["", t("table.add_to_list")], ...rest], "", (each) => { if (each) set([...chosen, each]); }, `add-${label}`);
    adding.setAttribute("aria-label", label);
    adding.disabled = locked || !rest.length;
    redraw(place, h("p", { class: "label" }, label),
      chosen.length ? h("ol", { class: "picked" }, chosen.map((each, at) => h("li", {}, said(name(each)),
        h("span", { class: "tools" },
          button("↑", () => swap(at, at - 1), { key: `up-${each}`, class: "quiet icon", disabled: locked || at === 0, "aria-label": t("table.up_of", { what: name(each) }) }),
          button("↓", () => swap(at, at + 1), { key: `down-${each}`, class: "quiet icon", disabled: locked || at === chosen.length - 1, "aria-label": t("table.down_of", { what: name(each) }) }),
          button("×", () => set(chosen.filter((one) => one !== each)), { key: `off-${each}`, class: "quiet icon", disabled: locked, "aria-label": t("table.remove_of", { what: name(each) }) }))))) : null,
      adding);
  }
  draw();
  return place;
}

/** An ordered choice of hexes. */
export function orderedHexes(position, labels, value, onchange, label, locked) {
  return ordered(labels.map((each) => [each, position.describe(position.grid.find(each))]), value, onchange, label, locked);
}
