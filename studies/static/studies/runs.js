// Selects metrics without a request, and adds up their cost where it is shown. Without this file the buttons submit the form, and the page
// returns with the selection.
"use strict";

const boxes = [...document.querySelectorAll("input[name=metrics]")];
const cost = document.querySelector("#cost");

for (const button of document.querySelectorAll("button[name=select]")) {
  const [what] = button.value.split(":");
  const family = button.closest(".family");
  const own = boxes.filter((box) => !family || family.contains(box));
  button.addEventListener("click", (event) => {
    event.preventDefault();
    for (const box of own) box.checked = what === "all" || (what === "recommended" && "recommended" in box.dataset);
    showCost();
  });
}

for (const box of boxes) box.addEventListener("change", showCost);
// A browser restores the boxes when a page is reloaded.
showCost();

// The same text as print_cost and print_duration of the server.
function showCost() {
  if (!cost) return;
  const chosen = boxes.filter((box) => box.checked);
  const known = chosen.filter((box) => "seconds" in box.dataset);
  // Metrics of a family load the same.
  const loading = new Map();
  for (const box of known) {
    const family = box.closest(".family");
    loading.set(family, Math.max(loading.get(family) ?? 0, Number(box.dataset.loading)));
  }
  const times = [...known.map((box) => Number(box.dataset.seconds)), ...loading.values()];
  const total = times.reduce((sum, seconds) => sum + seconds, 0);
  const unknown = chosen.length - known.length;
  cost.textContent = printDuration(total) + (unknown ? `, and unknown for ${unknown}` : "");
}

function printDuration(seconds) {
  if (seconds < 1) return "less than 1 s";
  if (seconds < 90) return `${seconds.toFixed(0)} s`;
  if (seconds < 5400) return `${(seconds / 60).toFixed(0)} min`;
  return `${(seconds / 3600).toFixed(0)} h`;
}
