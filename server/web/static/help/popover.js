// The pop-over with a piece of the rulebook: beside the word on wide screens, at the foot of narrow ones.

const NARROW = "(max-width: 40rem)";
const GAP = 8;

export class Pieces {
  /**
   * @param {HTMLElement} place the pop-over
   * @param {string} base where the rulebook is
   */
  constructor(place, base) {
    this.place = place;
    this.base = base;
    this.body = /** @type {HTMLElement} */ (place.querySelector(".piece-body"));
    this.goBack = /** @type {HTMLElement} */ (place.querySelector("[data-back]"));
    /** @type {Map<string, Promise<string>>} */
    this.known = new Map();
    /** @type {string[]} */
    this.trail = [];
    /** @type {HTMLElement | null} */
    this.opener = null;
    this.goBack.addEventListener("click", () => { this.trail.pop(); this.#fill(this.trail[this.trail.length - 1]); });
    place.querySelector("[data-close]")?.addEventListener("click", () => place.hidePopover());
    place.addEventListener("toggle", (event) => {
      if (/** @type {ToggleEvent} */ (event).newState === "closed") { this.trail = []; this.opener?.focus({ preventScroll: true }); this.opener = null; }
    });
  }

  /**
   * Show a piece beside what was clicked; within the pop-over itself, instead of what it shows.
   * @param {string} key
   * @param {HTMLElement} opener
   */
  async open(key, opener) {
    const inside = this.place.contains(opener);
    if (!inside) {
      if (this.place.matches(":popover-open")) this.place.hidePopover();
      this.opener = opener;
      // within a modal dialog nothing outside of it can be used
      (opener.closest("dialog[open]") ?? document.body).append(this.place);
      this.trail = [];
      this.place.showPopover();
    }
    this.trail.push(key);
    await this.#fill(key);
  }

  /** @param {string | undefined} key */
  async #fill(key) {
    if (key === undefined) return;
    this.goBack.hidden = this.trail.length < 2;
    this.body.textContent = this.place.dataset.loading ?? "";
    this.#settle();
    try {
      const html = await this.#fetch(key);
      if (this.trail[this.trail.length - 1] !== key) return;
      this.body.innerHTML = html; // written and escaped by our own server
    } catch {
      this.known.delete(key);
      this.body.textContent = this.place.dataset.failed ?? "";
    }
    this.#settle();
    this.body.focus({ preventScroll: true });
    this.body.scrollTop = 0;
  }

  /** @param {string} key */
  #fetch(key) {
    const before = this.known.get(key);
    if (before) return before;
    const asked = fetch(`${this.base}/piece?of=${encodeURIComponent(key)}`, { headers: { Accept: "text/html" } }).then((answer) => {
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.text();
    });
    this.known.set(key, asked);
    return asked;
  }

  /** Stand below the word where there is room, else above it; always on the screen. */
  #settle() {
    const { style } = this.place;
    if (matchMedia(NARROW).matches || !this.opener?.isConnected) { style.left = style.top = ""; return; }
    const word = this.opener.getBoundingClientRect(), own = this.place.getBoundingClientRect();
    const below = word.bottom + GAP, above = word.top - GAP - own.height;
    const top = below + own.height <= innerHeight - GAP ? below : above >= GAP ? above : Math.max(GAP, innerHeight - own.height - GAP);
    style.left = `${Math.max(GAP, Math.min(word.left, innerWidth - own.width - GAP))}px`;
    style.top = `${top}px`;
  }
}
