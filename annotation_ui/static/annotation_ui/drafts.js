// Answers that are not submitted yet survive a reload: they are kept in this browser, for this task and this rater, for
// as long as the lease runs. They are forgotten when the task is submitted or given back, and when the rater leaves.
"use strict";

(() => {
  const PREFIX = "accordance-draft/";
  const ours = `${PREFIX}${document.body.dataset.study}/`;
  const form = document.querySelector("[data-draft]");
  const here = form && ours + form.dataset.draft;
  const endsAt = form && Date.now() + 1000 * Number(form.dataset.draftSeconds);

  function read(key) {
    try {
      return JSON.parse(localStorage.getItem(key)) || {};
    } catch {
      return {};
    }
  }

  function tidy() {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    const isForgetting = document.querySelector("[data-forgets]") !== null;
    for (const key of keys) {
      const draft = read(key);
      const isOver = !(draft.endsAt > Date.now());
      // What was sent stays until another page shows that it arrived.
      const isSent = draft.isSent && key !== here;
      if (isOver || isSent || (isForgetting && key.startsWith(ours))) localStorage.removeItem(key);
    }
  }

  function keep(isSent) {
    if (Date.now() >= endsAt) return localStorage.removeItem(here);
    const answers = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
    localStorage.setItem(here, JSON.stringify({ endsAt, isSent, answers }));
  }

  function restore() {
    const { answers = [] } = read(here);
    const given = new Map(answers);
    for (const field of form.elements) {
      if (!given.has(field.name) || field.type === "submit") continue;
      if (field.type === "radio") field.checked = field.value === given.get(field.name);
      else field.value = given.get(field.name);
    }
  }

  // A browser may refuse to store anything, which is no reason to stop.
  function attempt(step) {
    try {
      step();
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  }

  attempt(tidy);
  if (!form) return;
  attempt(restore);
  // Other listeners come first: one answer may take another one back, and time is measured.
  for (const type of ["input", "change"]) addEventListener(type, () => attempt(() => keep(false)));
  form.addEventListener("submit", () => attempt(() => keep(true)));
  setTimeout(() => attempt(() => localStorage.removeItem(here)), Math.min(endsAt - Date.now(), 2 ** 31 - 1));
})();
