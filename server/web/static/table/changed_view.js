// What one knows, as a page has it, and what has changed since: only that is fetched after a phase.

/** What makes one view into another; see docs/api.md.
 * @typedef {{replaced: {path: string[], value: any}[], removed: string[][], spliced: {path: string[], edits: {at: number, gone: number, put: any[]}[]}[]}} Changes
 */

/**
 * Return the view that comes of another one. What has not changed is shared by both; the first stays as it is.
 * @param {Record<string, any>} before @param {Changes} changes
 */
export function patched(before, { replaced, removed, spliced }) {
  const whole = { ...before }, copies = new Map();
  const around = (path) => path.slice(0, -1).reduce((inside, name, depth) => {
    const key = JSON.stringify(path.slice(0, depth + 1));
    if (!copies.has(key)) copies.set(key, (inside[name] = { ...inside[name] }));
    return copies.get(key);
  }, whole);
  for (const path of removed) delete around(path)[path.at(-1)];
  for (const { path, value } of replaced) around(path)[path.at(-1)] = value;
  for (const { path, edits } of spliced) {
    const inside = around(path), list = [...inside[path.at(-1)]];
    for (const { at, gone, put } of [...edits].reverse()) list.splice(at, gone, ...put);
    inside[path.at(-1)] = list;
  }
  return whole;
}
