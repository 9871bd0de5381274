// The dialog of the search: Ctrl-K, "/" and the link "Search" open it, and the arrow keys choose among what was found. Without
// this script the link leads to the page of the search.
"use strict";

// Read by the shortcuts, too: the choice to use keys is one for both.
const keyboard = {
  STORED: "accordance-shortcuts",
  TYPING: "input, textarea, select, [contenteditable]:not([contenteditable=false])",
  isOn() {
    try { return localStorage.getItem(keyboard.STORED) !== "off"; } catch { return true; }
  },
};

(() => {
  const PAUSE = 120;
  const dialog = document.querySelector("#palette");
  const words = dialog.querySelector("#palette-words");
  const found = dialog.querySelector("#palette-found");
  const count = dialog.querySelector("#palette-count");
  let timer = 0;
  let asked = null;

  document.querySelector("#search-link")?.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener("keydown", press);
  dialog.addEventListener("keydown", choose);
  words.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(find, PAUSE); });

  function press(event) {
    if (event.isComposing || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const isCombined = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "k";
    const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest?.(keyboard.TYPING);
    if (!keyboard.isOn() || !(isCombined || isSlash)) return;
    event.preventDefault();
    open();
  }

  function open() {
    dialog.showModal();
    words.select();
    words.focus();
    find();
  }

  function choose(event) {
    const links = [...found.querySelectorAll("a")];
    const place = links.indexOf(document.activeElement);
    const isInWords = document.activeElement === words;
    if (event.key === "Escape") {
      // A field for searching would first only clear itself.
      event.preventDefault();
      dialog.close();
      // Where nothing had the focus before, the browser keeps it in the closed dialog until it next draws the page, and "/"
      // would be taken for text.
      if (dialog.contains(document.activeElement)) document.activeElement.blur();
    } else if (event.key === "Enter" && isInWords && !event.isComposing) {
      event.preventDefault();
      clearTimeout(timer);
      find().then((isNew) => { if (isNew) found.querySelector("a")?.click(); });
    } else if (event.key === "ArrowDown" && (isInWords || place >= 0)) {
      event.preventDefault();
      links[Math.min(place + 1, links.length - 1)]?.focus();
    } else if (event.key === "ArrowUp" && place >= 0) {
      event.preventDefault();
      (links[place - 1] ?? words).focus();
    }
  }

  async function find() {
    asked?.abort();
    asked = new AbortController();
    const query = new URLSearchParams({ q: words.value, study: dialog.dataset.study });
    try {
      const answer = await fetch(`${dialog.dataset.results}?${query}`, { signal: asked.signal, credentials: "same-origin" });
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      // A link that was chosen meanwhile keeps the focus, if it is still found.
      const chosen = found.contains(document.activeElement) ? document.activeElement.href : "";
      found.replaceChildren(...page.body.childNodes);
      const links = [...found.querySelectorAll("a")];
      if (chosen) (links.find((each) => each.href === chosen) ?? words).focus();
      const n = links.length;
      count.textContent = `${n} ${n === 1 ? "page" : "pages"}`;
      return true;
    } catch (error) {
      if (error.name !== "AbortError") {
        found.replaceChildren();
        count.textContent = "The search did not answer; try again.";
      }
      return false;
    }
  }
})();
