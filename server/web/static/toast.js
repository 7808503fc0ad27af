// Short words in the corner, read out by screen readers.

/** Show a sentence for some seconds; `kind` is "" or "bad". */
export function toast(sentence, kind = "") {
  const shown = document.createElement("p");
  shown.className = `toast ${kind}`.trim();
  shown.textContent = sentence;
  document.getElementById("toasts").append(shown);
  setTimeout(() => shown.remove(), kind === "bad" ? 10000 : 5000);
}
