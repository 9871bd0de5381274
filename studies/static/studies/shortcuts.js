// Keyboard shortcuts: "?" opens the dialog that lists them, "g" and a letter follows a link of it. They can be turned off
// in the dialog, and do nothing while somebody types. palette.js, which every page loads before, has `keyboard`.
"use strict";

(() => {
  const WAIT = 1500;
  const dialog = document.querySelector("#shortcuts");
  const button = document.querySelector("#shortcuts-button");
  const choice = dialog.querySelector("input[type=checkbox]");
  let waitsUntil = 0;

  choice.checked = keyboard.isOn();
  button.hidden = false;
  button.addEventListener("click", () => dialog.showModal());
  dialog.addEventListener("close", () => {
    // Until the browser next draws the page, the focus is still in the closed dialog, where keys would be taken for text.
    if (dialog.contains(document.activeElement)) document.activeElement.blur();
  });
  choice.addEventListener("change", () => {
    try { localStorage.setItem(keyboard.STORED, choice.checked ? "on" : "off"); } catch { /* A browser without storage forgets it. */ }
  });
  document.addEventListener("keydown", press);

  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    if (!choice.checked || dialog.open || event.target.closest?.(keyboard.TYPING)) return;
    const isSecond = event.timeStamp < waitsUntil;
    waitsUntil = event.key === "g" ? event.timeStamp + WAIT : 0;
    if (event.key === "?") {
      event.preventDefault();
      dialog.showModal();
    } else if (isSecond) {
      const link = [...dialog.querySelectorAll("a[data-letter]")].find((each) => each.dataset.letter === event.key);
      if (!link) return;
      event.preventDefault();
      location.assign(link.href);
    }
  }
})();
