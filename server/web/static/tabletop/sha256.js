// SHA-256 for pages served over plain HTTP in a club's network, where the browser has none to offer.

const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
const part = (x) => ((x - Math.floor(x)) * 2 ** 32) >>> 0;
const K = primes.map((prime) => part(Math.cbrt(prime)));
const START = primes.slice(0, 8).map((prime) => part(Math.sqrt(prime)));
const turn = (x, n) => (x >>> n) | (x << (32 - n));

/** Return the hash of bytes in hexadecimal digits. */
export function sha256(bytes) {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 4, bytes.length * 8);
  const hash = [...START];
  for (let offset = 0; offset < length; offset += 64) block(hash, view, offset);
  return hash.map((one) => (one >>> 0).toString(16).padStart(8, "0")).join("");
}

function block(hash, view, offset) {
  const w = Array.from({ length: 16 }, (_, i) => view.getUint32(offset + i * 4));
  for (let i = 16; i < 64; i++) {
    const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
    const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) >>> 0;
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let i = 0; i < 64; i++) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) >>> 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) hash[i] = (hash[i] + value) >>> 0;
}
