// Another device of the same guest: one shows a code, the other takes it.

import { api } from "../api.js";

const shown = document.getElementById("shown");
const form = /** @type {HTMLFormElement | null} */ (document.getElementById("take-code"));

/** @param {any} error */
function say(error) {
  const place = document.getElementById("problem");
  if (place) place.textContent = error.message;
}

document.getElementById("make-code")?.addEventListener("click", async () => {
  try {
    const { data } = await api("POST", "/tables/guests/devices");
    const picture = document.createElement("img");
    picture.src = `/tables/device/${data.code}/code.svg`;
    picture.alt = shown?.dataset.alt ?? "";
    const code = document.createElement("p");
    code.className = "tt-join-code";
    code.textContent = data.code.replace(/(.{5})/g, "$1 ").trim();
    shown?.replaceChildren(picture, code);
  } catch (error) { say(error); }
});

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const code = String(new FormData(form).get("code"));
    await api("POST", "/tables/guests/devices/join", { code });
    location.href = "/tables";
  } catch (error) { say(error); }
});
