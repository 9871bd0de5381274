// Sorts a table with data-sortable by the column whose heading is pressed; again for the other direction. A cell may
// state what it is sorted by in data-value. Only the first body is sorted: others hold lines such as human ceilings.
"use strict";

function prepare(root) {
  for (const table of root.querySelectorAll("table[data-sortable]:not([data-ready])")) {
    table.dataset.ready = "";
    if (table.tBodies.length === 0 || table.tBodies[0].rows.length < 2) continue;
    for (const head of table.tHead.rows[table.tHead.rows.length - 1].cells) {
      if (!head.textContent.trim()) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sortBy(table, head));
    }
  }
}

function sortBy(table, head) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const keys = new Map(rows.map((row) => [row, readCell(row.cells[head.cellIndex])]));
  const isNumeric = [...keys.values()].some((key) => typeof key === "number");
  // Numbers begin with the highest, names with the first.
  const was = head.getAttribute("aria-sort");
  const isRising = was ? was !== "ascending" : !isNumeric;
  rows.sort((one, other) => compare(keys.get(one), keys.get(other), isRising));
  body.append(...rows);
  for (const each of head.parentElement.cells) each.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", isRising ? "ascending" : "descending");
}

// A number where the cell begins with one; null where it is empty or a dash.
function readCell(cell) {
  const text = (cell.dataset.value ?? cell.querySelector("time")?.dateTime ?? cell.textContent).trim();
  if (text === "" || text === "–") return null;
  const number = Number(text.replaceAll(",", "").replace("−", "-").replace(/\s*%$/, ""));
  return Number.isNaN(number) ? text : number;
}

// Empty cells are always last.
function compare(one, other, isRising) {
  if (one === null || other === null) return (one === null) - (other === null);
  const order =
    typeof one === "number" && typeof other === "number"
      ? one - other
      : String(one).localeCompare(String(other), undefined, { numeric: true });
  return isRising ? order : -order;
}

prepare(document);
document.addEventListener("htmx:load", (event) => prepare(event.detail.elt.parentElement ?? document));
