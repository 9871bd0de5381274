// The mark of a missing answer goes as soon as the answer is there; the server checks again.
"use strict";

(() => {
  const marks = [...document.querySelectorAll("[data-error]")];
  if (!marks.length) return;
  const summary = document.getElementById("errors");

  function isAnswered(name) {
    const fields = [...document.getElementsByName(name)];
    if (!fields.length) return false;
    if (["radio", "checkbox"].includes(fields[0].type)) return fields.some((field) => field.checked);
    const isBroken = fields[0].closest(".question")?.querySelector(".rule.blocks.is-broken");
    return fields[0].value.trim() !== "" && fields[0].checkValidity() && !isBroken;
  }

  function clear(name) {
    const places = new Set();
    for (const mark of marks.filter((one) => one.dataset.error === name && one.isConnected)) {
      if (!summary?.contains(mark)) places.add(mark.closest(".wrong"));
      mark.remove();
    }
    for (const field of document.getElementsByName(name)) field.removeAttribute("aria-invalid");
    for (const place of places) {
      if (!place || place.querySelector("[data-error]")) continue;
      place.classList.remove("wrong");
      for (const part of [place, ...place.querySelectorAll("[aria-describedby]")]) forgetErrors(part);
    }
  }

  function forgetErrors(part) {
    const ids = (part.getAttribute("aria-describedby") || "").split(" ").filter((id) => id && !id.endsWith("-error"));
    if (ids.length) part.setAttribute("aria-describedby", ids.join(" "));
    else part.removeAttribute("aria-describedby");
  }

  function sum() {
    if (!summary) return;
    const left = new Set([...summary.querySelectorAll("[data-error]")].map((mark) => mark.dataset.error)).size;
    const headings = (summary.dataset.headings || "").split("|");
    if (!left) {
      summary.remove();
      document.title = document.title.replace(summary.dataset.title, "").trim();
    } else if (headings[left - 1]) {
      summary.querySelector("h2").textContent = headings[left - 1];
    }
  }

  function look() {
    const names = new Set(marks.filter((mark) => mark.isConnected).map((mark) => mark.dataset.error));
    const answered = [...names].filter(isAnswered);
    answered.forEach(clear);
    if (answered.length) sum();
  }

  for (const type of ["input", "change"]) addEventListener(type, look);
  look();
})();
