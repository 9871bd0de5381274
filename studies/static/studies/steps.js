// Keeps what is typed into a step of a study: in the browser at once, and on the server a moment later. Without this file
// the buttons Previous and Next save, and the preview shows what is saved.
"use strict";

const PAUSE = 700;
// How many milliseconds Previous and Next wait at most for what is on its way.
const LONGEST = 3000;
const form = document.querySelector("#step-form[data-keep]");
const saved = document.querySelector("#saved-step");

if (saved?.dataset.copy) {
  forget(saved.dataset.copy);
  // A reload must not delete what will be typed later.
  const address = new URL(location.href);
  address.searchParams.delete("saved");
  history.replaceState(history.state, "", address);
}
// Somebody else may log in next in this tab.
document.querySelector("form.session")?.addEventListener("submit", () => {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith("step/")) forget(key);
});
if (form) keepForm();

function keepForm() {
  const { keep, key, logIn } = form.dataset;
  const told = document.querySelector("#kept");
  const shown = JSON.stringify(read());
  let timer = 0;
  let isSubmitting = false;
  let isSending = false;
  let isInConflict = false;
  let sending = Promise.resolve();

  restore();
  // After a log-in this tab shows the text in its own fields.
  const mark = document.createElement("input");
  Object.assign(mark, { type: "hidden", name: "kept_in_tab", value: "1" });
  form.append(mark);
  form.addEventListener("input", () => {
    copy();
    schedule();
  });
  form.addEventListener("change", () => {
    copy();
    schedule();
  });
  form.addEventListener("submit", (event) => {
    // What is on its way could arrive after this, and be kept as if it had been typed later.
    if (isSending) {
      event.preventDefault();
      if (isSubmitting) return;
      isSubmitting = true;
      Promise.race([sending, new Promise((resolve) => setTimeout(resolve, LONGEST))]).then(() => {
        // The submit event, if there is one, sets it again: otherwise what is typed later would not be kept.
        isSending = isSubmitting = false;
        form.requestSubmit(event.submitter);
      });
      return;
    }
    isSubmitting = true;
    copy();
    // After a log-in in another tab the token of this page is not valid any more.
    const token = readToken();
    if (token) form.elements.csrfmiddlewaretoken.value = token;
  });
  addEventListener("pagehide", flush);
  addEventListener("pageshow", (event) => {
    if (event.persisted) isSubmitting = false;
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") flush();
  });

  function read() {
    const values = {};
    for (const field of form.elements) {
      if (!field.name || field.disabled || field.type === "hidden" || field.tagName === "BUTTON") continue;
      if (field.name === "confirm_deviation") continue;
      if (field.type === "radio" && !field.checked) continue;
      values[field.name] = field.type === "checkbox" ? field.checked : field.value;
    }
    return values;
  }

  function write(values) {
    for (const field of form.elements) {
      if (!(field.name in values) || field.disabled || field.tagName === "BUTTON") continue;
      if (field.type === "checkbox") field.checked = values[field.name];
      else if (field.type === "radio") field.checked = field.value === values[field.name];
      else field.value = values[field.name];
    }
  }

  function copy() {
    const kept = { values: read(), basedOn: form.elements.based_on.value };
    try {
      sessionStorage.setItem(key, JSON.stringify(kept));
    } catch {
      // Storage is full or forbidden; the server has a copy soon.
    }
  }

  function restore() {
    const text = sessionStorage.getItem(key);
    if (!text) return;
    const kept = JSON.parse(text);
    if (JSON.stringify(kept.values) === shown) return forget(key);
    write(kept.values);
    form.elements.based_on.value = kept.basedOn;
    say("What you typed before is shown again. It is not saved yet.");
    schedule();
  }

  function schedule() {
    clearTimeout(timer);
    timer = setTimeout(send, PAUSE);
  }

  function flush() {
    if (!timer || isSubmitting || isInConflict) return;
    clearTimeout(timer);
    timer = 0;
    request({ keepalive: true }).catch(() => {});
  }

  function send(force) {
    timer = 0;
    // One after the other, because each answer has the revision that the next request names.
    sending = sending.then(() => attempt(force)).catch(() => say("Not connected. What you type stays in this tab."));
    return sending;
  }

  async function attempt(force) {
    if (isSubmitting || (isInConflict && !force)) return;
    const sent = JSON.stringify(read());
    isSending = true;
    const response = await request({}, force).finally(() => { isSending = false; });
    if (response.type === "opaqueredirect") return sayLoggedOut();
    if (response.status !== 200 && response.status !== 409) return say("Could not be kept on the server. It stays in this tab.");
    const answer = await response.json();
    if (response.status === 409) return showConflict(answer);
    form.elements.revision.value = answer.revision;
    if (JSON.stringify(read()) === sent) forget(key);
    if (answer.cost) document.querySelector("#cost").innerHTML = answer.cost;
    say(answer.saved_at ? "What you typed is kept, and saved with Previous or Next." : "");
    document.querySelector("#preview")?.contentWindow.location.reload();
  }

  function request(options, force) {
    const body = new FormData(form);
    if (force) body.append("force", "1");
    const token = readToken();
    if (token) body.set("csrfmiddlewaretoken", token);
    return fetch(keep, { method: "POST", body, redirect: "manual", ...options });
  }

  function showConflict(answer) {
    isInConflict = true;
    const place = document.querySelector("#tab-conflict");
    place.innerHTML = answer.conflict;
    place.querySelector("[data-choose=here]").addEventListener("click", () => {
      form.elements.revision.value = answer.revision;
      place.replaceChildren();
      isInConflict = false;
      send(true);
    });
    place.querySelector("[data-choose=other]").addEventListener("click", () => {
      forget(key);
      timer = 0;
      isSubmitting = true;
      location.reload();
    });
    say("");
  }

  function sayLoggedOut() {
    const link = document.createElement("a");
    link.href = logIn;
    link.textContent = "Log in again";
    told.replaceChildren("You are logged out. What you type stays in this tab. ", link);
  }

  function say(text) {
    if (told && told.textContent !== text) told.textContent = text;
  }
}

function readToken() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1];
}

function forget(key) {
  sessionStorage.removeItem(key);
}
