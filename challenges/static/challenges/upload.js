// Sends a file of results in parts by the API, and goes on after a cut. Without this script the form sends it at once.
"use strict";

const form = document.querySelector("form[data-uploads]");
// Digests of blocks tell whether a file is the one of an unfinished upload; browsers compute them on safe connections.
if (form && window.crypto && window.crypto.subtle) {
  form.addEventListener("submit", (event) => {
    const file = form.elements.file.files[0];
    // The server says what is missing.
    if (!file) return;
    event.preventDefault();
    upload(file);
  });
}

// Seconds between tries; after the last one somebody has to press a button.
const WAITS = [1, 2, 4, 8, 15, 30, 60];
// A connection over which nothing goes for so many seconds is cut.
const STALLED = 60;
const TOLD_EVERY = 10;

class Cut extends Error {}
class Refused extends Error {}

const find = (id) => document.getElementById(id);
const wait = (seconds) => new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });
// Small, since browsers by themselves send a request again whose connection was reset.
const partSize = () => Math.min(4, Number(form.dataset.mostMb)) * 2 ** 20;
const findAddress = (token) => form.dataset.submission.replace("TOKEN", token);

const unfinished = [...document.querySelectorAll("[data-upload]")].map(({ dataset }) => (
  { token: dataset.upload, name: dataset.name, bytes: Number(dataset.bytes) }
));
let told = -1;

function tell(text) {
  if (find("standing").textContent !== text) find("standing").textContent = text;
}

function complain(text) {
  find("trouble").textContent = text;
  find("trouble").hidden = !text;
}

function showProgress(done, total) {
  const bar = form.querySelector("progress");
  bar.max = total;
  bar.value = done;
  // Not at every packet, since a screen reader reads each change.
  const step = Math.floor((100 * done) / total / TOLD_EVERY) * TOLD_EVERY;
  if (step !== told) tell(`${step} % of ${total.toLocaleString("en")} bytes uploaded.`);
  told = step;
}

async function upload(file) {
  const button = form.querySelector("button:not([type])");
  button.disabled = true;
  form.elements.file.disabled = true;
  complain("");
  find("sending").hidden = false;
  told = -1;
  try {
    const found = (await findUnfinished(file)) || (await begin(file));
    await sendRest(file, found);
    tell("The upload is complete.");
    await finish(found.token);
    window.location.assign(form.dataset.page.replace("TOKEN", found.token));
  } catch (error) {
    if (!(error instanceof Cut || error instanceof Refused)) throw error;
    tell("The upload has stopped.");
    complain(error.message);
    button.disabled = false;
    form.elements.file.disabled = false;
  }
}

async function begin(file) {
  const given = { name: file.name, n_bytes: file.size, description: form.elements.description.value };
  const begun = await ask("POST", form.dataset.uploads, JSON.stringify(given));
  // A later try on this page continues it.
  unfinished.push({ token: begun.submission, name: file.name, bytes: file.size });
  return { token: begun.submission, received: 0 };
}

// The unfinished upload that began with this file; null if there is none.
async function findUnfinished(file) {
  for (const { token, name, bytes } of unfinished) {
    if (name !== file.name || bytes !== file.size) continue;
    try {
      const arrived = await ask("GET", `${findAddress(token)}received/`);
      tell("Comparing the file with the uploaded part.");
      if (await beginsWith(file, arrived)) return { token, received: arrived.n_received };
    } catch (error) {
      // It is over, and this page is older than that.
      if (!(error instanceof Refused)) throw error;
    }
  }
  return null;
}

async function beginsWith(file, arrived) {
  for (const [number, expected] of arrived.sha256.entries()) {
    const end = Math.min((number + 1) * arrived.block, arrived.n_received);
    const digest = await crypto.subtle.digest("SHA-256", await read(file, number * arrived.block, end));
    const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    if (hex !== expected) return false;
  }
  return true;
}

async function read(file, start, end) {
  try {
    return await file.slice(start, end).arrayBuffer();
  } catch {
    throw new Refused("The file has changed or can no longer be read: choose it again.");
  }
}

async function sendRest(file, { token, received }) {
  let nTries = 0;
  let isKnown = true;
  showProgress(received, file.size);
  while (received < file.size) {
    try {
      if (!isKnown) {
        // Part of what was cut off has arrived: a part from where the last one began would be sent in vain.
        const arrived = await findArrived(token);
        if (arrived > received) nTries = 0;
        received = arrived;
        isKnown = true;
        told = -1;
        showProgress(received, file.size);
        continue;
      }
      const part = await read(file, received, received + partSize());
      const shown = await ask("PATCH", findAddress(token), part, { offset: received, total: file.size });
      received = shown.n_received;
      nTries = 0;
      showProgress(received, file.size);
    } catch (error) {
      if (!(error instanceof Cut)) throw error;
      isKnown = false;
      tell("The connection was lost. Trying again.");
      if (nTries < WAITS.length) {
        await wait(WAITS[nTries]);
        nTries += 1;
      } else {
        await beTold();
        nTries = 0;
      }
    }
  }
}

// How many bytes have arrived, once the server has stored all that it got before a cut.
async function findArrived(token) {
  let before = -1;
  let shown = await ask("GET", findAddress(token));
  while (shown.n_received !== before) {
    before = shown.n_received;
    await wait(1);
    shown = await ask("GET", findAddress(token));
  }
  if (shown.state !== "receiving") throw new Refused(`The upload has already ended: the submission is ${shown.state}.`);
  return shown.n_received;
}

async function finish(token) {
  const address = `${findAddress(token)}finish/`;
  try {
    await ask("POST", address);
  } catch (error) {
    if (!(error instanceof Cut)) throw error;
    // Perhaps only the answer was lost.
    await wait(WAITS[0]);
    const shown = await ask("GET", findAddress(token));
    if (shown.state === "receiving") await ask("POST", address);
  }
}

// Wait until somebody says that the connection is back.
function beTold() {
  tell("The connection was lost.");
  const button = find("go-on");
  button.hidden = false;
  button.focus();
  return new Promise((resolve) => {
    button.addEventListener("click", () => {
      button.hidden = true;
      resolve();
    }, { once: true });
  });
}

// Send a request and return what it answers. A part says where it begins, and shows its progress.
function ask(method, address, body = null, part = null) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let timer = null;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), STALLED * 1000);
    };
    const end = () => {
      clearTimeout(timer);
      reject(new Cut("The server does not respond: try again later. The uploaded part is kept for one day."));
    };
    request.open(method, address);
    request.setRequestHeader("X-CSRFToken", form.elements.csrfmiddlewaretoken.value);
    if (part) {
      request.setRequestHeader("Content-Type", "application/octet-stream");
      request.setRequestHeader("Upload-Offset", part.offset);
      request.upload.addEventListener("progress", (event) => {
        watch();
        showProgress(Math.min(part.offset + event.loaded, part.total), part.total);
      });
    } else if (body) {
      request.setRequestHeader("Content-Type", "application/json");
    }
    request.addEventListener("error", end);
    request.addEventListener("abort", end);
    request.addEventListener("load", () => {
      // A part that is refused has arrived in pieces (400) or begins elsewhere than what is stored ends (409).
      const again = request.status >= 500 || request.status === 429 || (part && [400, 409].includes(request.status));
      if (again) { end(); return; }
      clearTimeout(timer);
      if (request.status < 300) resolve(JSON.parse(request.responseText));
      else reject(new Refused(explain(request)));
    });
    watch();
    request.send(body);
  });
}

function explain(request) {
  let problem = {};
  try {
    problem = JSON.parse(request.responseText);
  } catch {
    // A proxy answered.
  }
  const fields = (problem.errors || []).map((each) => `${each.field}: ${each.message}`);
  const lines = [problem.detail || `The server refused the upload (${request.status}).`, ...fields];
  if (request.status === 401 || request.status === 403) lines.push("Load the page again, and log in if it asks you to.");
  return lines.join(" ");
}
