// Salts that the player keeps (docs/dice.md): one key in this browser, carried to another device by a code. Receipts, too.

import { bytesOf, hexOf, keyed, possible } from "./dice.js";
import { api } from "./api.js";

const place = (campaign) => `salt key ${campaign}`;

/** Return the key of a campaign as 32 hexadecimal digits, "" where the server keeps the salts. */
export const keyOf = (campaign) => localStorage.getItem(place(campaign)) ?? "";

/** Return a key as the code that people type in elsewhere. */
export const codeOf = (key) => (key.match(/.{4}/g) ?? []).join("-");

/** Keep a code as the key of a campaign; false for what is no code. */
export function keep(campaign, code) {
  const key = code.replace(/[\s-]/g, "").toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(key)) return false;
  localStorage.setItem(place(campaign), key);
  return true;
}

export const drawn = () => hexOf(crypto.getRandomValues(new Uint8Array(16)));

/** Let the server keep the salts again. */
export async function giveBack(campaign) {
  const { data } = await api("PUT", `/campaigns/${campaign}/salts`, { kept_by: "server" });
  localStorage.removeItem(place(campaign));
  return data;
}

const commitment = async (salt) => hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(salt))));

/** Send the salt of the open phase and commit that of the next, where this browser keeps them; twice is once. */
export async function stir(campaign) {
  const key = keyOf(campaign);
  if (!key || !possible()) return null;
  const { data } = await api("GET", `/campaigns/${campaign}/salts`);
  if (data.scheme < 2) return data;
  const hash = await keyed(bytesOf(key)), body = {};
  const salt = async (serial) => hexOf(await hash(`${data.campaign_id}|${data.player_id}|${serial}`));
  if (data.now) {
    const own = await salt(data.now.serial), joining = data.number === 0 && data.now.kept_by === "server";
    if (joining || (!data.now.given && (await commitment(own)) === data.now.commitment)) body.salt = own;
  }
  if (data.next_serial !== null) body.commitment = await commitment(await salt(data.next_serial));
  return Object.keys(body).length ? (await api("PUT", `/campaigns/${campaign}/salts`, body)).data : data;
}
