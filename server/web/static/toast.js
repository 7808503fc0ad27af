// Short words in the corner, read out by screen readers.

/** Show a sentence for some seconds, in place of the one before; `kind` is "" or "bad", which stays beside others. */
export function toast(sentence, kind = "") {
  const shown = document.createElement("p"), place = document.getElementById("toasts");
  place.querySelector(".toast:not(.bad)")?.remove();
  shown.className = `toast ${kind}`.trim();
  shown.textContent = sentence;
  place.append(shown);
  setTimeout(() => shown.remove(), kind === "bad" ? 10000 : 5000);
}
