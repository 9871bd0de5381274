// Names this page in its requests, and the pages that were open in this tab before it, so that the server cancels the jobs
// of options that were replaced here, and none that another tab waits for. Without this file nothing is cancelled.
"use strict";

(() => {
  const KEY = "explorer/pages";
  const MOST = 20;
  const own = document.querySelector("[data-page]").dataset.page;
  const store = (act) => { try { return act(sessionStorage); } catch { return null; /* A browser without storage. */ } };
  // They are stored only between two pages: a tab that is duplicated must not take those of the first one.
  const earlier = store((kept) => kept.getItem(KEY))?.split(" ") ?? [];
  const pages = [...earlier, own].slice(-MOST).join(" ");

  store((kept) => kept.removeItem(KEY));
  addEventListener("pagehide", () => store((kept) => kept.setItem(KEY, pages)));
  addEventListener("pageshow", (event) => { if (event.persisted) store((kept) => kept.removeItem(KEY)); });
  document.addEventListener("htmx:configRequest", (event) => { event.detail.headers["Explorer-Pages"] = pages; });
})();
