// What hexes are called: by their own name, else by a direction from the nearest place with one. As server/render/naming.py says it.

const DIRECTIONS = ["e", "se", "s", "sw", "w", "nw", "n", "ne"];
const FAR = 4; // steps

/** Return `[key, name]`: the key is empty for a hex with a name of its own. @returns {[string, string]} */
export function bearing(grid, names, hex) {
  const own = names.get(hex);
  if (hex < 0 || own !== undefined || !names.size) return ["", own ?? ""];
  let home = -1, least = Infinity;
  for (const at of [...names.keys()].sort((a, b) => a - b)) {
    const steps = grid.distance(at, hex);
    if (steps < least) [home, least] = [at, steps];
  }
  const row = (at) => Math.floor(at / grid.columns), across = (at) => at % grid.columns + (row(at) & 1) / 2;
  const angle = Math.atan2((row(hex) - row(home)) * Math.sqrt(3) / 2, across(hex) - across(home));
  return [(least >= FAR ? "far_" : "") + DIRECTIONS[(Math.round(angle / (Math.PI / 4)) + 8) % 8], names.get(home)];
}

/** Return a hex by name and number: "Gate Field (0603)", or "0704 (east of Gate Field)". `bearings` are the sentences by key. */
export function place(grid, names, bearings, hex) {
  const [key, name] = bearing(grid, names, hex), label = grid.label(hex);
  if (!key) return name ? `${name} (${label})` : label;
  return `${label} (${bearings[key].replace("{name}", () => name)})`;
}
