// The proposed ends of a new campaign follow the chosen map, until someone types a figure of their own.

/** @type {Record<string, Record<string, number>>} */
const proposals = JSON.parse(document.getElementById("proposals")?.textContent ?? "{}");

/** @param {string} name */
const field = (name) => /** @type {HTMLInputElement | null} */ (document.querySelector(`input[name="rules.${name}"]`));

/** @type {Record<string, number>} */
let before = proposals[chosen()?.dataset.players ?? ""] ?? {};

function chosen() {
  return /** @type {HTMLInputElement | null} */ (document.querySelector('input[name="scenario"]:checked'));
}

document.addEventListener("change", (event) => {
  if (!(event.target instanceof HTMLInputElement) || event.target.name !== "scenario") return;
  const now = proposals[event.target.dataset.players ?? ""];
  if (!now) return;
  for (const [name, value] of Object.entries(now)) {
    const input = field(name);
    if (input && input.value === String(before[name])) input.value = String(value);
  }
  before = now;
});
