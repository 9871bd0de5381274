// Selects metrics without a request. Without this file the buttons submit the form, and the page returns with the selection.
"use strict";

const boxes = [...document.querySelectorAll("input[name=metrics]")];

for (const button of document.querySelectorAll("button[name=select]")) {
  const [what] = button.value.split(":");
  const family = button.closest(".family");
  const own = boxes.filter((box) => !family || family.contains(box));
  button.addEventListener("click", (event) => {
    event.preventDefault();
    for (const box of own) box.checked = what === "all" || (what === "recommended" && "recommended" in box.dataset);
  });
}
