// Draws the plots of a page again so that readers can point at them. The pictures from the server stay for print, and
// for browsers in which this fails. Vega is loaded when the first plot comes into view.
"use strict";

const NARROW = window.matchMedia("(max-width: 40rem)");
const scriptUrls = document.currentScript.dataset;
let vegaLoaded = null;

const watched = new IntersectionObserver(
  (entries) => {
    for (const entry of entries.filter((each) => each.isIntersecting)) {
      watched.unobserve(entry.target);
      draw(entry.target).catch(() => entry.target.classList.add("plot-failed"));
    }
  },
  { rootMargin: "200px" },
);

function findPlots(root) {
  for (const figure of root.querySelectorAll("figure[data-plot]:not([data-found])")) {
    figure.dataset.found = "";
    watched.observe(figure);
  }
}

async function loadVega() {
  await import(scriptUrls.vega);
  const { expressionInterpreter } = await import(scriptUrls.interpreter);
  return expressionInterpreter;
}

async function draw(figure) {
  vegaLoaded ??= loadVega();
  const address = new URL((NARROW.matches && figure.dataset.narrow) || figure.dataset.plot, location);
  if (NARROW.matches) address.searchParams.set("size", "narrow");
  const [interpreter, answer] = await Promise.all([vegaLoaded, fetch(address)]);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const picture = figure.querySelector("picture");
  const frame = make("div", "live-plot");
  // Until it is drawn there is only the picture, and not two regions of one name.
  frame.hidden = true;
  const drawing = make("div", "figure natural");
  // A wide plot scrolls as its picture does; the card is outside, so that it is not cut off.
  const region = picture.closest(".scroll");
  const scroller = region?.cloneNode();
  frame.append(scroller ?? drawing);
  scroller?.append(drawing);
  frame.classList.toggle("is-wide", Boolean(region));
  (region ?? picture).before(frame);
  const view = new vega.View(vega.parse(await answer.json(), null, { ast: true }), {
    expr: interpreter,
    renderer: "svg",
    container: drawing,
    logLevel: vega.Error,
  });
  view.tooltip(() => {});
  await view.runAsync();
  const svg = drawing.querySelector("svg");
  // The drawing keeps its proportions where there is less room than its own width.
  if (!svg.hasAttribute("viewBox")) svg.setAttribute("viewBox", `0 0 ${svg.width.baseVal.value} ${svg.height.baseVal.value}`);
  svg.setAttribute("aria-hidden", "true");
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", picture.querySelector("img").alt);
  frame.hidden = false;
  figure.classList.add("is-live");
  new Pointer(figure, frame, drawing, svg);
}

// Shows a card with what is behind the point under the mouse, the finger or the keyboard.
class Pointer {
  constructor(figure, frame, drawing, svg) {
    Object.assign(this, { figure, frame, drawing, known: new Map(), shown: null });
    this.points = [...svg.querySelectorAll("path, line, text, rect")].filter((each) => readDatum(each));
    for (const point of this.points) point.classList.add("point-mark");
    this.stops = sortStops(this.points.filter((each) => each.tagName === "path"));
    this.card = make("div", "plot-card");
    this.card.hidden = true;
    this.keys = make("button", "plot-keys", "Go through the points with the arrow keys");
    this.keys.type = "button";
    this.said = make("p", "unseen");
    this.said.setAttribute("aria-live", "polite");
    frame.append(this.card, this.keys, this.said);
    drawing.addEventListener("pointerover", (event) => this.point(event.target));
    drawing.addEventListener("click", (event) => this.open(event.target));
    frame.addEventListener("pointerleave", () => this.hide());
    this.keys.addEventListener("keydown", (event) => this.press(event));
    this.keys.addEventListener("click", () => this.shown && this.open(this.shown));
    this.keys.addEventListener("blur", () => this.hide());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
  }

  point(element) {
    const point = this.points.includes(element) ? element : null;
    if (point === this.shown) return;
    if (point) this.show(point);
    else if (!this.card.contains(element)) this.hide();
  }

  async show(point) {
    this.hide();
    this.shown = point;
    point.classList.add("is-pointed");
    const datum = readDatum(point);
    const content = datum.items ? await this.describeItems(datum) : describe(datum);
    // The reader may have moved on meanwhile.
    if (this.shown !== point) return;
    this.card.replaceChildren(...content);
    this.card.hidden = false;
    this.said.textContent = this.card.innerText;
    this.place(point);
  }

  place(point) {
    const frame = this.frame.getBoundingClientRect();
    const at = point.getBoundingClientRect();
    const middle = at.left + at.width / 2 - frame.left;
    const left = Math.max(0, Math.min(middle - this.card.offsetWidth / 2, frame.width - this.card.offsetWidth));
    const below = at.bottom - frame.top + 8;
    const above = at.top - frame.top - this.card.offsetHeight - 8;
    const fitsAbove = at.top - this.card.offsetHeight - 8 > 0;
    this.card.style.left = `${left}px`;
    this.card.style.top = `${fitsAbove ? above : below}px`;
  }

  hide() {
    this.shown?.classList.remove("is-pointed");
    this.shown = null;
    this.card.hidden = true;
  }

  press(event) {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (!(event.key in steps) || this.stops.length === 0) return;
    event.preventDefault();
    const was = this.stops.indexOf(this.shown);
    const next = was < 0 ? 0 : (was + steps[event.key] + this.stops.length) % this.stops.length;
    this.show(this.stops[next]);
  }

  async open(element) {
    const datum = this.points.includes(element) ? readDatum(element) : null;
    if (!datum) return;
    if (datum.items) {
      const [first] = await this.loadItems(datum.items);
      if (first) location.assign(first.page);
    } else {
      // The other options of the page stay as they are.
      const address = new URL(location);
      address.searchParams.set("metric", datum.metric ?? datum.first);
      address.hash = "scatter";
      location.assign(address);
    }
  }

  async loadItems(keys) {
    const name = keys.join(",");
    if (!this.known.has(name)) {
      const address = new URL(this.figure.dataset.items, location);
      for (const key of keys) address.searchParams.append("item", key);
      this.known.set(name, fetch(address).then((answer) => (answer.ok ? answer.json() : { items: [] })));
    }
    return (await this.known.get(name)).items;
  }

  async describeItems(datum) {
    const items = await this.loadItems(datum.items);
    const numbers = `judgment ${print(datum.judgment)}, score ${print(datum.score)}`;
    const lines = [make("p", "plot-numbers", datum.count > 1 ? `${numbers}, ${datum.count.toLocaleString("en")} points` : numbers)];
    for (const item of items) lines.push(describeItem(item));
    if (items.length < datum.count && datum.items.length === 3) lines.push(make("p", "hint", "The first three items."));
    lines.push(make("p", "hint", items.length > 1 ? "Click to open the first one." : "Click to open it."));
    return lines;
  }
}

function describeItem(item) {
  const entry = make("div", "plot-item");
  if (item.image) {
    const image = make("img");
    image.src = item.image;
    image.alt = `Image ${item.image_key}`;
    entry.append(image);
  }
  const texts = make("div");
  for (const caption of item.captions) {
    const line = make("p");
    line.append(make("span", "label", caption.system), ` ${caption.text}`);
    line.dir = "auto";
    texts.append(line);
  }
  texts.append(make("p", "hint", `${item.key}; judgments: ${item.judgments.join(", ") || "none"}`));
  entry.append(texts);
  return entry;
}

function describe(datum) {
  if (datum.first) return describeDifference(datum);
  return datum.panel ? describeRank(datum) : describeMetric(datum);
}

function describeDifference(datum) {
  const lines = [make("p", "plot-numbers", `${datum.first} minus ${datum.second}: ${datum.printed}`)];
  const tested = datum.p === null ? "not tested" : `corrected p = ${print(datum.p)}`;
  lines.push(make("p", "hint", datum.is_significant || datum.p === null ? tested : `${tested}, not significant`));
  lines.push(make("p", "hint", `Click for the scatter plot of ${datum.first}.`));
  return lines;
}

function describeRank(datum) {
  const lines = [make("p", "plot-numbers", `${datum.metric}: ${datum.printed}`)];
  lines.push(make("p", "hint", `${datum.panel}: ${datum.option}`));
  lines.push(make("p", "hint", "Click for its scatter plot."));
  return lines;
}

function describeMetric(datum) {
  const lines = [make("p", "plot-numbers", `${datum.metric}: ${datum.printed}`)];
  const missing = datum.n_missing ? `, ${datum.n_missing.toLocaleString("en")} without score` : "";
  lines.push(make("p", "hint", `n = ${datum.n.toLocaleString("en")}${missing}`));
  if (datum.letters) lines.push(make("p", "hint", `Letters: ${datum.letters}`));
  if (datum.is_above) lines.push(make("p", "hint", "Above the human ceiling"));
  lines.push(make("p", "hint", "Click for its scatter plot."));
  return lines;
}

// The data of a mark that stands for items, a metric or a difference of two metrics, otherwise null.
function readDatum(element) {
  const datum = element.__data__?.datum;
  return datum && (datum.items || datum.metric || datum.first) ? datum : null;
}

// Outliers first: points that are far from where their rank by one axis would put them by the other.
function sortStops(points) {
  const data = points.map(readDatum);
  if (data.some((datum) => !datum.items)) return points;
  const rank = (name) => {
    const values = data.map((datum) => datum[name]).sort((one, other) => one - other);
    return (datum) => (values.indexOf(datum[name]) + values.lastIndexOf(datum[name])) / 2;
  };
  const [byJudgment, byScore] = [rank("judgment"), rank("score")];
  const distance = (point) => Math.abs(byJudgment(readDatum(point)) - byScore(readDatum(point)));
  return points.sort((one, other) => distance(other) - distance(one));
}

function print(number) {
  return String(Number(number.toPrecision(4))).replace("-", "−");
}

function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

findPlots(document);
document.addEventListener("htmx:load", (event) => findPlots(event.detail.elt.parentElement ?? document));
