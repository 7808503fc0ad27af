// What the engine says of orders and units: kinds, fields, sentences, slots. The page holds no list of its own.

const given = JSON.parse(document.getElementById("orders").textContent);

/** What a unit may be; and what marks half of one in a list of casualties. */
export const { slots: SLOTS, mobilities: MOBILITIES, flags: FLAGS, half: HALF } = given;

const PHASES = ["setup", "build", "movement", "battle_movement", "battles", "reports"];
const having = (kind) => [...new Set(given.kinds.filter((each) => each.fields.some((field) => field.kind === kind)).map((each) => each.type))];

/** Types of orders that go along a path, and that strike at an enemy. */
export const MARCHES = having("path"), ASSAULTS = having("enemy");

/** Types of orders to a force, which obeys one in each phase. */
export const FORCE_ORDERS = Object.fromEntries(PHASES.map((phase) => [phase, given.kinds.filter((each) => each.to_force && each.phases.includes(phase)).map((each) => each.type)])
  .filter(([, types]) => types.length));

/** Return the kinds of orders of a phase that a form can write: type -> fields. */
export function kindsOf(phase) {
  return Object.fromEntries(given.kinds.filter((each) => each.form && each.phases.includes(phase)).map((each) => [each.type, each.fields]));
}

/** Return the fields of a kind of order; none where the kind is not known. */
export function fieldsOf(type) {
  return given.kinds.find((each) => each.type === type)?.fields ?? [];
}

/** Return whether orders of a type can be repeated in phases of one kind. */
export function repeats(type, phase) {
  return given.kinds.some((each) => each.type === type && each.repeats && each.phases.includes(phase));
}

/** Return the force or convoy an order is for, "" for none. */
export function subjectOf(order) {
  return order.detachment ?? order.convoy ?? "";
}

/** @type {WeakMap<any[], Map<string, any[]>>} */
const sorted = new WeakMap();

/**
 * Return what may be ordered of a force or convoy; sorted once for each answer of the server.
 * @param {any[]} options @param {string} id @returns {any[]}
 */
export function optionsOf(options, id) {
  let found = sorted.get(options);
  if (!found) {
    sorted.set(options, found = new Map());
    for (const option of options) {
      const subject = subjectOf(option.order), known = found.get(subject);
      if (known) known.push(option);
      else found.set(subject, [option]);
    }
  }
  return found.get(id) ?? [];
}

/** Return which sentence says an order; its type where no kind is known. */
export function sentenceOf(order) {
  const kind = given.kinds.find((each) => each.type === order.type);
  const filled = (name) => name === "" || (Array.isArray(order[name]) ? order[name].length > 0 : Boolean(order[name]));
  return kind?.sentences.find(([name]) => filled(name))?.[1] ?? String(order.type);
}

/** Return the keys of what a sentence adds for the flags that an order sets. */
export function flagsOf(order) {
  const kind = given.kinds.find((each) => each.type === order.type);
  return kind?.fields.filter((each) => each.told && order[each.name] === true).map((each) => each.told) ?? [];
}
