// Reads with a client that @hey-api/openapi-ts made. node reads.js SERVER CAMPAIGN TOKEN
import { client } from "./made/client.gen.js";
import { getLegalOrders, getView, replaceOrders } from "./made/sdk.gen.js";
import type { LegalOrder, Order } from "./made/types.gen.js";

const [server = "", campaign_id = "", token = ""] = process.argv.slice(2);
client.setConfig({ baseUrl: server, auth: (scheme) => (scheme.scheme === "bearer" ? token : undefined) });

const path = { campaign_id };
const view = await getView({ path, throwOnError: true });
const legal = await getLegalOrders({ path, throwOnError: true });
const far = ({ reach }: Extract<LegalOrder, { type: "path" }>) => reach?.length ?? 0;
const orders: Order[] = [];
const done = await replaceOrders({ path, body: { orders }, throwOnError: true });
console.log(view.data.viewer, legal.data.items.map((each) => (each.type === "path" ? far(each) : 0)), done.data.orders.revision);
