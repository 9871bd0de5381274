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
  labelKeys(question);
}

function labelKeys(question) {
  const keys = question.dataset.keys.split(" ");
  question.querySelectorAll("input[type=radio]").forEach((radio, index) => {
    if (!keys[index]) return;
    radio.setAttribute("aria-keyshortcuts", keys[index]);
    const hint = document.createElement("kbd");
    hint.textContent = keys[index];
    hint.setAttribute("aria-hidden", "true");
    radio.closest("label").append(hint);
  });
}

// The question in hand: the one with the focus, else the first without an answer, else the last.
function findQuestion() {
  const focused = document.activeElement.closest(".question");
  return focused || questions.find((question) => !question.querySelector(":checked")) || questions.at(-1);
}

// Whoever speaks to the computer, or leans on a key, must be able to switch keys off (WCAG 2.1.4).
const OFF = "accordance-keys-off";
const hasKeys = questions.some((question) => question.querySelector("kbd"));
if (hasKeys) offerSwitch();

function offerSwitch() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet keys-switch";
  const show = () => {
    const isOff = localStorage.getItem(OFF) !== null;
    document.documentElement.classList.toggle("keys-off", isOff);
    button.textContent = isOff ? "Turn number keys on" : "Turn number keys off";
  };
  button.addEventListener("click", () => {
    if (localStorage.getItem(OFF) === null) localStorage.setItem(OFF, "1");
    else localStorage.removeItem(OFF);
    show();
  });
  document.querySelector(".aside details").before(button);
  show();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Enter") return sendFromAnywhere(event);
  if (localStorage.getItem(OFF) !== null) return;
  const question = findQuestion();
  const radio = question && question.querySelector(`input[aria-keyshortcuts="${CSS.escape(event.key)}"]`);
  if (!radio) return;
  event.preventDefault();
  radio.focus();
  radio.click();
  const next = questions.find((other) => !other.querySelector(":checked"));
  if (next && questions.length > 1) next.querySelector("input[type=radio]").focus();
});

// Where a link, a button or the like has the focus, Enter is its own.
function sendFromAnywhere(event) {
  if (document.activeElement !== document.body || !form) return;
  event.preventDefault();
  form.requestSubmit();
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
  setInterval(() => {
    const minutes = Math.max(0, Math.ceil((endsAt - performance.now()) / 60000));
    timeLeft.textContent = minutes === 1 ? "1 minute" : `${minutes} minutes`;
  }, 15000);
}
