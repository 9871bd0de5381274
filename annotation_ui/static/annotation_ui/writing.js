// Rules for writing, checked while one types; the table is the server's, which checks again.
"use strict";

const countMatches = (text, pattern) => (text.match(new RegExp(pattern, "gu")) || []).length;

// Letters of scripts without blanks are parts of words.
function countWords(caption, table) {
  const units = table.scripts.map(([letters, each]) => each * countMatches(caption, letters)).reduce((a, b) => a + b);
  const apart = caption.replace(new RegExp(table.dense, "gu"), " ");
  return countMatches(apart, table.word) + Math.floor(units / table.units);
}

// The same words again and again, or keys at random.
function isNoise(caption, table) {
  const apart = caption.replace(new RegExp(table.dense, "gu"), " ").toLowerCase();
  const ends = new RegExp(`^[${table.marks}]+|[${table.marks}]+$`, "gu");
  const words = apart.split(" ").map((word) => word.replace(ends, "")).filter(Boolean);
  const parts = [...words, ...(caption.match(new RegExp(table.dense, "gu")) || [])];
  if (parts.length < table.longEnough) return false;
  const counts = new Map();
  for (const part of parts) counts.set(part, (counts.get(part) || 0) + 1);
  const noise = words.filter((word) => isMashed(word, table));
  return 2 * Math.max(...counts.values()) > parts.length || 2 * noise.length > parts.length || counts.size < table.leastDifferent;
}

function isMashed(word, table) {
  if (new RegExp(table.mashed, "u").test(word)) return true;
  const back = [...word].reverse().join("");
  return [...word].length >= table.leastDifferent && table.rows.some((row) => row.includes(word) || row.includes(back));
}

for (const writing of document.querySelectorAll("[data-caption]")) {
  const text = writing.querySelector("textarea");
  const rules = [...writing.querySelectorAll("[data-rule]")];
  const said = writing.querySelector("[data-said]");
  const words = writing.querySelector("[data-words]");
  let timer = 0;
  const table = JSON.parse(writing.dataset.counting);
  const measures = { "eight-words": (caption) => countWords(caption, table), sentence: (caption) => Number(isNoise(caption, table)) };
  const count = (rule, caption) => measures[rule.dataset.name]?.(caption) ?? (caption.match(new RegExp(rule.dataset.rule, rule.dataset.flags)) || []).length;
  const check = () => {
    // Without marks that show nothing, which hide no word from a rule nor make one.
    const caption = text.value.trim().replace(/\s+/g, " ").replace(/[\u061c\u200c-\u200f\ufe0e\ufe0f]/g, "");
    for (const rule of rules) {
      const least = Number(rule.dataset.least);
      const found = count(rule, caption);
      const isKept = least ? found >= least : found === 0;
      // An empty page breaks no rule yet, and keeps none.
      rule.classList.toggle("is-kept", caption !== "" && isKept);
      rule.classList.toggle("is-broken", caption !== "" && !isKept);
      rule.querySelector("[data-state]").textContent = caption === "" ? "" : isKept ? rule.dataset.kept : rule.dataset.broken;
      if (least) words.textContent = found;
    }
    // Read out after a pause in typing, and only what is open.
    clearTimeout(timer);
    timer = setTimeout(() => {
      const open = rules.filter((rule) => rule.classList.contains("is-broken"));
      said.textContent = open.map((rule) => `${rule.dataset.broken}: ${rule.querySelector(".asks").textContent}`).join("\n");
    }, 1200);
  };
  writing.querySelector("[data-count]").hidden = false;
  text.addEventListener("input", check);
  check();
}
