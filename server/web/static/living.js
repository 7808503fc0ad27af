// The map on the landing page: the last phases of a real campaign, one after the other. Each is the server's own drawing;
// this moves what both pictures show from where it stood to where it stands, and lets the land change hands.

const stage = document.getElementById("living"), bar = document.getElementById("living-bar");
const surface = stage.querySelector(".surface"), stop = document.getElementById("living-stop");
const words = document.getElementById("living-words"), ticks = [...bar.querySelectorAll(".ticks i")];
const texts = JSON.parse(document.getElementById("living-texts").textContent);
const pictures = stage.dataset.pictures.split(" ");
const STAGES = ["sealed", "build", "movement", "battle_movement", "battles"];
const LONG = 3200, MOVES = 1300;
const kept = new Map();
let at = 0, timer = 0, playing = false;

/** Zoom steps by the width of a hex on the screen: small maps leave out what would not be read. */
function fit() {
  const sheet = surface.querySelector("svg"), box = sheet.viewBox.baseVal;
  const scale = Math.min(sheet.clientWidth / box.width, sheet.clientHeight / box.height) || 1;
  const step = [110, 70, 44, 34, 22].find((pixels) => 84 * scale >= pixels) ?? 0;
  surface.className = `surface z-${step}`;
}

/** A picture, with names of its own for what it defines: two are on the page while one becomes the other. */
async function picture(number) {
  if (!kept.has(number)) {
    const answer = await fetch(pictures[number]);
    const text = (await answer.text()).replace(/( id="|href="#|url\(#)/g, `$1l${number}-`);
    kept.set(number, text);
  }
  const parsed = new DOMParser().parseFromString(kept.get(number), "image/svg+xml");
  return /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(parsed.documentElement, true)));
}

const place = (thing) => (thing.getAttribute("transform") ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [0, 0];

/** Put the next picture over the last: the land fades in, forces march, arrows appear. */
function change(next) {
  const last = surface.querySelector("svg:last-of-type");
  const stood = new Map([...last.querySelectorAll(".layer-forces [data-thing]")].map((thing) => [thing.dataset.thing, place(thing)]));
  last.querySelector(".layer-forces")?.remove();
  last.querySelector(".layer-last")?.remove();
  last.querySelector(".seals")?.remove();
  surface.append(next);
  const fading = [];
  for (const layer of next.children) {
    if (/layer-(borders|front|places|roads|last|battles)/.test(layer.getAttribute("class") ?? "")) fading.push(layer.animate({ opacity: [0, 1] }, { duration: MOVES, fill: "backwards" }));
  }
  for (const thing of next.querySelectorAll(".layer-forces [data-thing]")) {
    const from = stood.get(thing.dataset.thing), [x, y] = place(thing);
    if (!from) thing.animate({ opacity: [0, 1] }, { duration: MOVES });
    else if (from[0] !== x || from[1] !== y) thing.animate({ transform: [`translate(${from[0]}px, ${from[1]}px)`, `translate(${x}px, ${y}px)`] }, { duration: MOVES, easing: "ease-in-out" });
  }
  Promise.all(fading.map((each) => each.finished)).then(() => last.remove(), () => last.remove());
}

/** A red seal on every counter: the orders are written, and nobody can read them. */
function seal(sheet) {
  const seals = document.createElementNS("http://www.w3.org/2000/svg", "g");
  seals.setAttribute("class", "seals");
  [...sheet.querySelectorAll(".layer-forces [data-thing]")].forEach((thing, number) => {
    const box = /** @type {SVGGraphicsElement} */ (thing).getBBox(), [x, y] = place(thing), mark = document.createElementNS(seals.namespaceURI, "g");
    mark.setAttribute("transform", `translate(${(x + box.x + box.width - 2).toFixed(1)} ${(y + box.y + 3).toFixed(1)})`);
    for (const [radius, name] of [[9.5, "seal-rim"], [8, "seal-wax"], [3.2, "seal-eye"]]) {
      const ring = document.createElementNS(seals.namespaceURI, "circle");
      ring.setAttribute("r", String(radius));
      ring.setAttribute("class", String(name));
      mark.append(ring);
    }
    seals.append(mark);
    mark.animate({ opacity: [0, 1] }, { duration: 250, delay: 300 + 22 * number, fill: "backwards" });
  });
  sheet.append(seals);
}

function tell(name) {
  words.textContent = texts[`welcome.stage.${name}`];
  ticks.forEach((tick, number) => tick.classList.toggle("on", number <= STAGES.indexOf(name)));
}

/** One step on: after a turn's battles the next orders are sealed; after the last one it begins again. */
async function step() {
  const sealed = surface.querySelector("svg:last-of-type .seals");
  if (at % 4 === 0 && !sealed && at < pictures.length - 1) {
    seal(surface.querySelector("svg:last-of-type"));
    tell("sealed");
  } else {
    at = (at + 1) % pictures.length;
    change(await picture(at));
    tell(at ? STAGES[1 + ((at - 1) % 4)] : "sealed");
  }
  if (playing) timer = setTimeout(step, at === pictures.length - 1 ? LONG * 1.5 : LONG);
}

function play(wanted) {
  playing = wanted;
  clearTimeout(timer);
  stop.setAttribute("aria-pressed", String(!playing));
  stop.textContent = playing ? "❚❚" : "▶";
  if (playing) timer = setTimeout(step, 900);
}

bar.hidden = false;
tell("sealed");
fit();
addEventListener("resize", fit);
stop.addEventListener("click", () => play(!playing));
document.addEventListener("visibilitychange", () => { if (playing || document.hidden) { clearTimeout(timer); if (playing && !document.hidden) timer = setTimeout(step, 900); } });
play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
