// What happens in a campaign, or in all of one's own, as it happens. Pages listen: document.addEventListener("live", event => event.detail);
// "stands" comes with the campaign as it is, when the stream begins (again).
// htmx parts reload with hx-trigger="live from:document".

const { campaign } = document.body.dataset;
const address = campaign ? `/api/v1/campaigns/${campaign}/stream` : "/api/v1/me/stream";
let number = Number(document.body.dataset.number ?? NaN); // the last phase the page knows of
let stream = null;

function open() {
  if (stream || document.hidden) return;
  stream = new EventSource(address);
  stream.onopen = () => document.body.classList.remove("offline");
  stream.onerror = () => document.body.classList.add("offline");
  stream.addEventListener("state", (event) => {
    const state = read(event);
    if (["finished", "archived", "deleted"].includes(state.status)) close();
    document.dispatchEvent(new CustomEvent("stands", { detail: state }));
    if (state.phase_number !== number && !isNaN(number)) tell({ kind: "phase_opened", data: { number: state.phase_number } }); // before the stream began
  });
  for (const kind of document.body.dataset.kinds.split(" ")) stream.addEventListener(kind, (event) => tell(read(event)));
}

function read(event) {
  try { return JSON.parse(event.data); } catch { return {}; }
}

function tell(news) {
  if (news.kind === "phase_opened") number = news.data.number;
  document.dispatchEvent(new CustomEvent("live", { detail: news }));
  if (news.kind === document.body.dataset.until) anew();
  if (campaign && news.kind === "finished") close(); // the server ends the stream, too
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
  else { open(); tell({ kind: "seen_again" }); if (document.body.dataset.until) anew(); }
});
addEventListener("pagehide", close);
open();
