// Comfort for raters; every page works without it. Keys choose, time to an answer is measured, a form is sent once.
"use strict";

const form = document.querySelector("[data-task]");
const questions = [...document.querySelectorAll(".question")];

// Milliseconds that the page has been in view.
let inView = 0;
let shownAt = document.hidden ? null : performance.now();
const readClock = () => Math.round(inView + (shownAt === null ? 0 : performance.now() - shownAt));
document.addEventListener("visibilitychange", () => {
  inView = readClock();
  shownAt = document.hidden ? null : performance.now();
});

for (const question of questions) {
  const elapsed = question.querySelector("[data-elapsed]");
  // After an error the page starts anew: what was measured before goes on counting.
  const before = Number(elapsed.value) || 0;
  question.addEventListener("change", () => { elapsed.value = before + readClock(); });
}

// Radio buttons of one name are one group: a question has one, or several that share their captions.
const groups = questions.flatMap((question) => {
  const keys = question.dataset.keys.split(" ").filter(Boolean);
  const radios = keys.length ? [...question.querySelectorAll("input[type=radio]")] : [];
  const names = [...new Set(radios.map((radio) => radio.name))];
  return names.map((name) => labelKeys(radios.filter((radio) => radio.name === name), keys));
});

function labelKeys(radios, keys) {
  radios.forEach((radio, index) => {
    if (!keys[index]) return;
    radio.setAttribute("aria-keyshortcuts", keys[index]);
    const card = radio.closest("[data-exclusive]");
    const place = card ? card.querySelector("[data-key-hint]") : radio.closest("label");
    if (place.querySelector("kbd")) return;
    const hint = document.createElement("kbd");
    hint.textContent = keys[index];
    hint.setAttribute("aria-hidden", "true");
    if (card) place.prepend(hint);
    else place.append(hint);
  });
  return radios;
}

const isOpen = (group) => !group.some((radio) => radio.checked);

// The group in hand: the one with the focus, else the first without an answer, else the last.
function findGroup() {
  return groups.find((group) => group.includes(document.activeElement)) || groups.find(isOpen) || groups.at(-1);
}

// Whoever speaks to the computer, or leans on a key, must be able to switch keys off (WCAG 2.1.4).
const OFF = "accordance-keys-off";
if (groups.length) offerSwitch();

function offerSwitch() {
  const texts = document.querySelector("[data-keys-off]").dataset;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet keys-switch";
  const show = () => {
    const isOff = localStorage.getItem(OFF) !== null;
    document.documentElement.classList.toggle("keys-off", isOff);
    button.textContent = isOff ? texts.keysOn : texts.keysOff;
  };
  button.addEventListener("click", () => {
    if (localStorage.getItem(OFF) === null) localStorage.setItem(OFF, "1");
    else localStorage.removeItem(OFF);
    show();
  });
  document.querySelector(".aside details").before(button);
  show();
}

// A question that the keyboard reaches comes into view whole, with what is judged in it.
document.addEventListener("focusin", ({ target }) => {
  if (target.matches("[type=radio]:focus-visible")) bringIntoView(target);
});

function bringIntoView(radio) {
  const whole = radio.closest(".card") || radio.closest(".question");
  whole.scrollIntoView({ block: "nearest" });
  radio.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return send(event);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // Where a link, a button or the like has the focus, Enter is its own.
  if (event.key === "Enter") return document.activeElement === document.body && send(event);
  if (localStorage.getItem(OFF) !== null || document.activeElement.matches("textarea, input[type=number]")) return;
  const group = findGroup();
  const radio = group && group.find((one) => one.getAttribute("aria-keyshortcuts") === event.key);
  if (!radio) return;
  event.preventDefault();
  radio.focus();
  radio.click();
  // The next question comes into view whole, or the choices of this one stay there.
  const next = groups.find(isOpen);
  if (next) next[0].focus();
  else bringIntoView(radio);
});

function send(event) {
  if (!form) return;
  event.preventDefault();
  form.requestSubmit();
}

// What has two marks can bear one of them: the newer one stays.
for (const card of document.querySelectorAll("[data-exclusive]")) {
  card.addEventListener("change", (event) => {
    const said = document.querySelector("[data-taken-back]");
    const others = [...card.querySelectorAll(":checked")].filter((radio) => radio !== event.target);
    others.forEach((radio) => { radio.checked = false; });
    said.textContent = others.length ? said.dataset.takenBack : "";
  });
}

// As the page's language writes them, with every digit.
const numbers = new Intl.NumberFormat(document.documentElement.lang, { useGrouping: false, maximumFractionDigits: 20 });

// A line beside a number. It shows no value before somebody chose one, also where that is the middle of the line.
for (const slider of document.querySelectorAll("[data-slider]")) {
  const number = slider.querySelector("input[type=number]");
  const hint = slider.querySelector("[data-hint]");
  const range = document.createElement("input");
  range.type = "range";
  for (const name of ["min", "max", "step"]) range.setAttribute(name, number.getAttribute(name));
  range.setAttribute("aria-label", number.labels[0].textContent.trim());
  range.setAttribute("aria-describedby", slider.querySelector(".ends").id);
  const show = () => {
    const isNowhere = number.value === "";
    range.classList.toggle("nowhere", isNowhere);
    range.setAttribute("aria-valuetext", isNowhere ? slider.dataset.nowhere : numbers.format(number.value));
    hint.classList.toggle("done", !isNowhere);
    if (!isNowhere) range.value = number.value;
  };
  const take = () => {
    number.value = range.value;
    show();
  };
  range.addEventListener("input", take);
  // A click on the middle, or Space, changes nothing that the browser knows of.
  range.addEventListener("click", () => number.value === "" && range.dispatchEvent(new Event("change", { bubbles: true })));
  range.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    range.dispatchEvent(new Event("change", { bubbles: true }));
  });
  range.addEventListener("change", take);
  number.addEventListener("input", show);
  slider.querySelector(".ends").after(range);
  hint.hidden = false;
  show();
}

let isSent = false;
if (form) {
  form.addEventListener("submit", (event) => {
    if (isSent) return event.preventDefault();
    isSent = true;
    // Who answered before this script was there has at most this time.
    for (const elapsed of form.querySelectorAll("[data-elapsed]")) elapsed.value ||= readClock();
    form.querySelector(".primary").setAttribute("aria-disabled", "true");
  });
}
// A page that comes back from the browser's memory may be sent again; the server takes an answer once.
window.addEventListener("pageshow", () => {
  isSent = false;
  if (form) form.querySelector(".primary").removeAttribute("aria-disabled");
});

const timeLeft = document.querySelector("[data-time-left]");
if (timeLeft) {
  const endsAt = performance.now() + 1000 * Number(timeLeft.parentElement.dataset.secondsLeft);
  const format = new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: "minute", unitDisplay: "long" });
  setInterval(() => {
    timeLeft.textContent = format.format(Math.max(0, Math.ceil((endsAt - performance.now()) / 60000)));
  }, 15000);
}
