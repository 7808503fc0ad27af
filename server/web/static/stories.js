// Stories of battles: writing one with its pictures, taking one away.

import { api } from "./api.js";
import { smaller } from "./photos.js";

const form = /** @type {HTMLFormElement | null} */ (document.getElementById("story-form"));
const problem = document.getElementById("problem");

/** @param {any} error */
function say(error) {
  const faults = error.problems ?? [];
  if (problem) problem.textContent = faults.length ? faults.map((/** @type {{message: string}} */ one) => one.message).join(" ") : error.message;
}

for (const button of document.querySelectorAll("[data-remove-story]")) {
  if (!(button instanceof HTMLElement)) continue;
  button.addEventListener("click", async () => {
    if (!confirm(button.dataset.sure)) return;
    await api("DELETE", `/stories/${button.dataset.removeStory}`);
    location.reload();
  });
}

/** The pictures that are to be sent, each with a field for what it shows. */
const chosen = document.getElementById("chosen");
const input = /** @type {HTMLInputElement | null} */ (document.getElementById("photos"));
/** @type {{file: File, alt: HTMLInputElement}[]} */
let photos = [];

input?.addEventListener("change", () => {
  photos = [...input.files ?? []].map((file, place) => {
    const alt = document.createElement("input");
    alt.maxLength = 200;
    alt.id = `alt-${place}`;
    return { file, alt };
  });
  chosen?.replaceChildren(...photos.map(({ file, alt }) => {
    const line = document.createElement("p");
    const label = document.createElement("label");
    label.htmlFor = alt.id;
    label.textContent = `${file.name}: ${chosen.dataset.label}`;
    line.append(label, alt);
    return line;
  }));
});

for (const button of document.querySelectorAll("[data-drop]")) {
  if (!(button instanceof HTMLElement)) continue;
  button.addEventListener("click", async () => {
    try {
      await api("DELETE", `/stories/${form?.dataset.story}/pictures/${button.dataset.drop}`);
      button.closest("li")?.remove();
    } catch (error) { say(error); }
  });
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = new FormData(form);
  const button = /** @type {HTMLButtonElement} */ (event.submitter);
  button.disabled = true;
  try {
    const story = { title: fields.get("title"), body: fields.get("body"), held: fields.has("held") };
    const headers = { "If-Match": `"${form.dataset.revision}"` };
    const { data } = await api("PUT", String(form.dataset.put), story, { headers });
    form.dataset.revision = String(data.revision);
    form.dataset.story = data.id;
    while (photos.length) { // one after the other: what has been sent is not sent again
      const { file, alt } = photos[0];
      await api("POST", `/stories/${data.id}/pictures?alt=${encodeURIComponent(alt.value)}`, await smaller(file));
      photos.shift();
      chosen?.firstElementChild?.remove();
    }
    location.href = String(form.dataset.back);
  } catch (error) {
    say(error);
    button.disabled = false;
  }
});
