// Scrolls the current tab into sight where the tabs are one line that scrolls within itself. Without this file the line
// begins with the first tab.
"use strict";

for (const tabs of document.querySelectorAll(".tabs")) {
  const current = tabs.querySelector("[aria-current]")?.getBoundingClientRect();
  if (!current) continue;
  const line = tabs.getBoundingClientRect();
  tabs.scrollLeft += current.left + current.width / 2 - (line.left + line.width / 2);
}
