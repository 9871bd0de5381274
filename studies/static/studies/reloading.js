// A page that an answer tells to load itself again is loaded again once: where that takes longer than the pause between two
// requests, the next answer would start it anew, and a message for the new page be made twice.
"use strict";

(() => {
  let isReloading = false;
  const stop = (event) => { if (isReloading) event.preventDefault(); };

  document.addEventListener("htmx:beforeRequest", stop);
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    stop(event);
    if (event.detail.xhr.getResponseHeader("HX-Refresh")) isReloading = true;
  });
  // A page that comes back from the browser's memory asks again.
  addEventListener("pageshow", () => { isReloading = false; });
})();
