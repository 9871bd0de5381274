// A button that copies, beside every field that shows a link or a secret to be passed on. Without this file the text in
// the field can be selected and copied by hand.
"use strict";

const COPIED_MS = 2500;

function addButton(field) {
  const line = document.createElement("span");
  const button = document.createElement("button");
  const told = document.createElement("span");
  const label = field.labels[0]?.textContent.trim();
  line.className = "copy-line";
  button.type = "button";
  // With data-main, copying is what one does first on the page.
  if (!("main" in field.dataset)) button.className = "quiet";
  button.textContent = "Copy";
  if (label) button.setAttribute("aria-label", `Copy: ${label}`);
  told.className = "copied";
  told.setAttribute("role", "status");
  field.before(line);
  line.append(field, button, told);
  let timer = 0;
  button.addEventListener("click", async () => {
    told.textContent = (await copy(field)) ? "Copied" : "Press Ctrl+C";
    clearTimeout(timer);
    timer = setTimeout(() => (told.textContent = ""), COPIED_MS);
  });
}

async function copy(field) {
  // Selected as well, so that it can be copied by hand where a browser refuses.
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // Outside of a secure connection there is no clipboard, but the older command.
    return document.execCommand("copy");
  }
}

function prepareCopying(root) {
  for (const field of root.querySelectorAll("input.link[readonly]:not([data-copies])")) {
    field.dataset.copies = "";
    addButton(field);
  }
}

prepareCopying(document);
document.addEventListener("htmx:load", (event) => prepareCopying(event.detail.elt.parentElement ?? document));
