// "Check it yourself": links, seeds and faces reckoned anew from what was published, with the browser's own SHA-256.
// The same as docs/dice.md and server.core.dice: link n = SHA-256(link n+1); seed = HMAC(link, campaign|branch|turn|phase|salts);
// a hidden roll uses HMAC(seed, seat|key of the seat); a face = HMAC(seed, label|counter), its first 8 bytes, by rejection sampling.

const MAX_LINKS = 1000;
const utf8 = new TextEncoder();

export const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
export const hexOf = (bytes) => Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");

/** Say whether this page may reckon at all: browsers give SHA-256 to secure addresses only. */
export const possible = () => Boolean(globalThis.crypto?.subtle);

const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/** Return a function that gives the HMAC-SHA256 of a text under *key*. */
export async function keyed(key) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (text) => new Uint8Array(await crypto.subtle.sign("HMAC", imported, utf8.encode(text)));
}

/** Return how many steps down the chain *link* becomes *link0*; -1 if it never does. */
export async function steps(link, link0) {
  let now = bytesOf(link);
  for (let step = 0; step <= MAX_LINKS; step += 1) {
    if (hexOf(now) === link0) return step;
    now = await sha256(now);
  }
  return -1;
}

/** Return the seed of a phase, as text. In scheme 1 it does not name the line of play. */
export async function seedOf(scheme, link, campaign, branch, turn, phase, salts) {
  const parts = [campaign, ...(scheme > 1 ? [String(branch)] : []), String(turn), phase, ...salts.map((salt) => `${[...salt].length}:${salt}`)];
  return hexOf(await (await keyed(bytesOf(link)))(parts.join("|")));
}

/** Return face number *counter* of a label. */
export async function face(hash, label, counter, sides) {
  const limit = (1n << 64n) - ((1n << 64n) % BigInt(sides));
  for (let attempt = 0; ; attempt += 1) {
    const message = attempt ? `${label}|${counter}|${attempt}` : `${label}|${counter}`;
    const number = new DataView((await hash(message)).buffer).getBigUint64(0);
    if (number < limit) return Number(number % BigInt(sides)) + 1;
  }
}

/** Check a phase; `say(what, verdict, more)` hears of link, seed and each roll: true, false, or null for "not here". */
export async function check(data, phase, say) {
  if (!phase.link) return;
  const found = await steps(phase.link, data.link0);
  // a turn may skip links after a rollback, never use an older one again; the start of scheme 1 used link 0
  say("link", found >= phase.turn + (data.scheme > 1 ? 1 : 0), found);
  say("seed", (await seedOf(data.scheme, phase.link, data.campaign, phase.branch, phase.turn, phase.phase, phase.salts)) === phase.seed);
  const own = await keyed(bytesOf(phase.seed)), hashes = new Map([[null, own]]);
  for (const [seat, key] of Object.entries(data.keys)) hashes.set(seat, await keyed(await own(`${seat}|${key}`)));
  for (const [place, roll] of phase.rolls.entries()) {
    const hash = hashes.get(roll.seat);
    if (roll.sides === null || !hash) { say(place, null); continue; }
    let right = true;
    for (const [more, shown] of roll.faces.entries()) {
      if ((await face(hash, roll.label, roll.from + more, roll.sides)) !== shown) right = false;
    }
    say(place, right);
  }
}
