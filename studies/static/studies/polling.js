// When the answers to what a page asks for by itself are taken. Without this file every answer is taken at once.
"use strict";

(() => {
  let isPressed = false;
  let isReloading = false;

  // An answer replaces a part of the page. While a button or a link there is pressed, the click would be lost with it: such
  // an answer is dropped, and the page asks again. A space presses as a pointer does.
  const release = () => { isPressed = false; };
  addEventListener("pointerdown", (event) => { if (event.button === 0) isPressed = true; }, true);
  addEventListener("keydown", (event) => { if (event.key === " ") isPressed = true; }, true);
  for (const type of ["pointerup", "keyup"]) addEventListener(type, release, true);
  // After these the page does not hear of the release. As the window does, each element loses the focus when another one
  // is pressed, but it does so without telling the window.
  for (const type of ["pointercancel", "contextmenu", "blur", "change", "dragend"]) addEventListener(type, release);
  addEventListener("pointermove", (event) => { if (!event.buttons) release(); });

  // A page that an answer tells to load itself again is loaded again once: where that takes longer than the pause between
  // two requests, the next answer would start it anew, and a message for the new page be made twice.
  document.addEventListener("htmx:beforeRequest", (event) => { if (isReloading) event.preventDefault(); });
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const { requestConfig, xhr } = event.detail;
    const isPoll = !requestConfig.triggeringEvent;
    if (isReloading || (isPressed && isPoll)) event.preventDefault();
    else if (xhr.getResponseHeader("HX-Refresh")) isReloading = true;
  });
  // A page that comes back from the browser's memory asks again.
  addEventListener("pageshow", () => { isReloading = false; });
})();
