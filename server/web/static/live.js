// What happens in a campaign, or in all of one's own, as it happens. Pages listen: document.addEventListener("live", event => event.detail).
// htmx parts reload with hx-trigger="live from:document".

const { campaign } = document.body.dataset;
const address = campaign ? `/api/v1/campaigns/${campaign}/stream` : "/api/v1/me/stream";
let stream = null;

function open() {
  if (stream || document.hidden) return;
  stream = new EventSource(address);
  stream.onopen = () => document.body.classList.remove("offline");
  stream.onerror = () => document.body.classList.add("offline");
  const tell = (event) => {
    let data = {};
    try { data = JSON.parse(event.data); } catch { return; }
    document.dispatchEvent(new CustomEvent("live", { detail: data }));
    if (data.kind === document.body.dataset.until) anew();
    if (campaign && data.kind === "finished") close(); // the server ends the stream, too
  };
  stream.addEventListener("state", (event) => { if (/"status":"(finished|archived|deleted)"/.test(event.data)) close(); });
  for (const kind of document.body.dataset.kinds.split(" ")) stream.addEventListener(kind, tell);
}

/** The page is of the past, all of it: show it as it is now, unless somebody is just writing in it. */
function anew() {
  const fields = [...document.querySelectorAll("main :is(input, textarea):not([type=hidden], [type=radio])")];
  if (fields.every((each) => each.value === each.defaultValue)) location.reload();
}

function close() {
  stream?.close();
  stream = null;
}

// A browser opens few connections to one server: a hidden page gives its own back, and catches up when seen again.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) close();
  else { open(); document.dispatchEvent(new CustomEvent("live", { detail: { kind: "seen_again" } })); if (document.body.dataset.until) anew(); }
});
addEventListener("pagehide", close);
open();
