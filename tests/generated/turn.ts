// Plays a whole turn with a client that openapi-typescript made from the description of the server.
// node turn.js SERVER CAMPAIGN TOKEN... : a token for each seat.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Order = components["schemas"]["Order"];
type LegalOrder = components["schemas"]["LegalOrder"];

const [server = "", campaign_id = "", ...tokens] = process.argv.slice(2);
const path = { campaign_id };

/** Makes an order of an option; its type tells the compiler what it settles, what it leaves open and what explains it. */
function choose(option: LegalOrder): Order | undefined {
  switch (option.type) {
    case "place": {
      const { order: { what }, choices } = option, at = choices.at?.[0];
      return what && at ? { type: "place", what, at } : undefined;
    }
    case "path": {
      const { order: { detachment }, reach } = option, way = reach?.[0]?.path;
      return detachment && way ? { type: "path", detachment, path: way } : undefined;
    }
    case "build_detachment": {
      const at = option.choices.at?.[0], most = option.needs?.units.most_points ?? 0;
      return at && most >= 280 ? { type: "build_detachment", at, name: "Column", units: [
        { slot: "hq", models: 1, points: 80 },
        { slot: "troops", models: 10, points: 100 },
        { slot: "troops", models: 10, points: 100 },
      ] } : undefined;
    }
    default:
      return undefined;
  }
}

async function play(token: string): Promise<number> {
  const client = createClient<paths>({ baseUrl: server, headers: { Authorization: `Bearer ${token}` } });
  const set = await client.GET("/api/v1/campaigns/{campaign_id}/orders", { params: { path } });
  if (!set.data) throw new Error(set.error.detail);
  if (!set.data.wanted || set.data.final) return 0;
  const legal = await client.GET("/api/v1/campaigns/{campaign_id}/legal-orders", { params: { path } });
  if (!legal.data) throw new Error(legal.error.detail);
  const chosen = new Map<string, Order>();
  for (const option of legal.data.items) {
    const order = choose(option);
    if (!order) continue;
    const subject = order.type === "path" ? order.detachment ?? "" : order.type === "place" ? order.what : order.type;
    if (!chosen.has(subject)) chosen.set(subject, order);
  }
  const orders = [...chosen.values()].sort((one, other) => Number(other.type === "place") - Number(one.type === "place"));
  const etag = set.response.headers.get("etag") ?? "";
  const header = { "If-Match": etag, "Idempotency-Key": crypto.randomUUID() };
  const done = await client.PUT("/api/v1/campaigns/{campaign_id}/orders", {
    params: { path, header },
    body: { orders, final: true, lenient: true },
  });
  if (!done.data) throw new Error(done.error.detail);
  return done.data.orders.orders.length;
}

let given = 0;
for (;;) {
  for (const token of tokens) given += await play(token);
  const nobody = createClient<paths>({ baseUrl: server });
  const { data } = await nobody.GET("/api/v1/campaigns/{campaign_id}/view", { params: { path } });
  if (!data) throw new Error("The campaign is gone.");
  const state: components["schemas"]["State"] = data.state;
  if (state.turn > 1) break;
}
console.log(`${given} orders`);
