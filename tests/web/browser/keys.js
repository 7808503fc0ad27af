// What the keys of tests/web/browser/hands.py ask a page: where the focus is, and which way it is to the goal.
({
  /** Where the focus is as seen from the goal, and what is wrong with it there, also once the page has come to rest. */
  async stop(goal, most) {
    const before = globalThis.stopBefore, times = before?.here === document.activeElement ? before.times + 1 : 0;
    let seen = this.look(goal, before);
    for (const end = performance.now() + 3000; seen.trouble && performance.now() < end;) {
      await new Promise((rested) => setTimeout(() => requestAnimationFrame(rested), 50));
      seen = this.look(goal, before);
    }
    if (!seen.named) return seen;
    globalThis.stopBefore = { here: document.activeElement, named: seen.named, times };
    return times > most ? { ...seen, trouble: `Tab does not leave ${seen.named}` } : seen;
  },

  look(goal, before) {
    const here = document.activeElement, nowhere = !here || here === document.body;
    if (!goal.isConnected) return { way: "gone", trouble: "" };
    if (nowhere) return { way: "nowhere", trouble: before ? `what had the focus is gone, nothing has it now: ${before.named}` : "" };
    const way = here === goal ? "there" : here.compareDocumentPosition(goal) & Node.DOCUMENT_POSITION_PRECEDING ? "before" : "after";
    const named = here.outerHTML.slice(0, 160);
    return { way, named, trouble: this.hidden(here, named) || (this.marked(here) ? "" : `the focus cannot be seen: ${named}`) };
  },

  /** Say that one cannot see what has the focus: it is out of the window, or all of it lies under something. */
  hidden(here, named) {
    const box = here.getBoundingClientRect();
    const left = Math.max(0, box.left), width = Math.min(innerWidth, box.right) - left;
    const top = Math.max(0, box.top), height = Math.min(innerHeight, box.bottom) - top;
    if (width < 1 || height < 1) return `the focus is out of sight: ${named}`;
    const own = (found) => found && (here.contains(found) || found.contains(here) || found.closest("label")?.control === here);
    const parts = [.5, .1, .9], seen = (x, y) => own(document.elementFromPoint(left + width * x, top + height * y));
    if (parts.some((x) => parts.some((y) => seen(x, y)))) return "";
    return `${document.elementFromPoint(left + width / 2, top + height / 2)?.outerHTML.slice(0, 160)} covers the focus: ${named}`;
  },

  /** Say whether something is drawn around it: itself, its label, or what stands for it. */
  marked(here) {
    return [here, here.closest("label"), here.nextElementSibling].some((each) => {
      const style = each && getComputedStyle(each);
      return style && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
    });
  },

  /** Radio buttons that belong together; Tab stops at the marked one, at the first where none is. */
  radios(goal) {
    return [...document.getElementsByName(goal.name)].filter((each) => each.form === goal.form && !each.disabled);
  },
  radioEntry(goal) { return this.radios(goal).find((each) => each.checked) ?? this.radios(goal)[0]; },
  radioSteps(goal) { return this.radios(goal).indexOf(goal) - this.radios(goal).indexOf(this.radioEntry(goal)); },

  /** Tabs that belong together; the key Tab stops at the chosen one. */
  tabs(goal) { return [...goal.closest("[role=tablist]").querySelectorAll("[role=tab]")]; },
  tabEntry(goal) { return this.tabs(goal).find((each) => each.tabIndex === 0); },
  tabSteps(goal) { return this.tabs(goal).indexOf(goal) - this.tabs(goal).indexOf(this.tabEntry(goal)); },

  itself(goal) { return goal; },
})
