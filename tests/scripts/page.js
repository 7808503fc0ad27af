// A page for scripts that look into theirs when they begin: its texts, and what the engine says of orders.

const KINDS = [
  { type: "path", to_force: true, phases: ["movement"], fields: [{ name: "path", kind: "path" }], sentences: [["", "path"]] },
  { type: "attack", to_force: true, phases: ["battle_movement"], fields: [{ name: "target", kind: "enemy" }], sentences: [["", "attack"]] },
  { type: "support", to_force: true, phases: ["battle_movement"], fields: [{ name: "target", kind: "force" }], sentences: [["", "support"]] },
  { type: "recover", to_force: true, phases: ["battle_movement"], fields: [], sentences: [["", "recover"]] },
];
const TEXTS = { "table.order.path": "{who} marches to {goal}", "table.order.attack": "{who} attacks {target}" };
const given = { texts: TEXTS, orders: { kinds: KINDS, slots: ["troops"], mobilities: ["infantry"], flags: [], half: "/2" } };
const spoken = [{ textContent: "" }, { textContent: "" }];

globalThis.document = {
  getElementById: (id) => (id in given ? { textContent: JSON.stringify(given[id]), dataset: {} } : null),
  querySelector: () => ({ content: "token" }),
  querySelectorAll: () => spoken,
};
