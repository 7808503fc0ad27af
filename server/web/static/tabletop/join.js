// An invitation: a name, one button, and one sits at the table.

import { api } from "../api.js";
import { becomeGuest } from "./guest.js";

const form = document.getElementById("join-table");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = new FormData(form).get("name");
  try {
    await becomeGuest(name);
    const { data } = await api("POST", "/tables/join", { code: form.dataset.code, name });
    if (event.submitter?.value === "sample") {
      const side = data.seats.find((seat) => seat.yours && !seat.has_army)?.side;
      if (side) await api("PUT", `/tables/${data.id}/seats/${side}/army`, { sample: true });
    }
    location.href = `/tables/${data.id}`;
  } catch (error) {
    document.getElementById("problem").textContent = error.message;
  }
});
