// The REST API, as a signed-in page asks it.

import { keepReceipt } from "./receipts.js";
import { learn, told } from "./texts.js";

const PREFIX = "/api/v1";

/** What the API refused: `code`, `title`, `detail`, `field`, `value`, `problems`, `status`. */
export class Problem extends Error {
  constructor(status, document) {
    super(told(document.template, document.params) || document.detail || document.title || `HTTP ${status}`);
    this.status = status;
    this.code = "";
    this.title = "";
    this.detail = "";
    this.field = "";
    this.value = null;
    /** @type {any[]} */
    this.problems = [];
    Object.assign(this, document);
  }
}

/** The network is down or the server does not answer: nothing is known of what became of the request. */
export class Offline extends Error {}

/**
 * Ask the API. Returns `{data, etag, status}`; `data` is null where there is none.
 * Writes carry an idempotency key, so that sending one again after a broken connection is safe.
 * @param {string} method @param {string} path @param {any} [body]
 * @param {{headers?: Record<string, string>, signal?: AbortSignal, key?: string}} [how]
 */
export async function api(method, path, body, { headers = {}, signal, key } = {}) {
  const sent = { Accept: "application/json", ...headers };
  if (method !== "GET") {
    sent["X-CSRF-Token"] = document.querySelector('meta[name="csrf-token"]').content;
    sent["Idempotency-Key"] = key ?? crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
  }
  const file = body instanceof Blob;
  if (body !== undefined) sent["Content-Type"] = file ? body.type || "application/octet-stream" : "application/json";
  let response;
  try {
    response = await fetch(PREFIX + path, {
      method, headers: sent, signal, credentials: "same-origin",
      body: body === undefined || file ? body : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Offline(error.message);
  }
  const type = response.headers.get("content-type") ?? "";
  const data = type.includes("json") ? await response.json() : response.status === 204 ? null : await response.text();
  if (!response.ok || data?.problems?.length) await learn(); // their sentences
  if (!response.ok) throw new Problem(response.status, typeof data === "object" && data ? data : {});
  keepReceipt(data);
  return { data, etag: response.headers.get("etag"), status: response.status };
}
