// Somebody who plays without an account: a name is enough, the browser keeps the rest.

import { api } from "../api.js";

/** Become a guest of that name, unless one is somebody here already. */
export async function becomeGuest(name) {
  const meta = document.querySelector('meta[name="csrf-token"]');
  if (meta.content) return;
  const { data } = await api("POST", "/tables/guests", { name: String(name).trim() });
  meta.content = data.csrf_token;
}
