// Files can be dropped on the field that they are for, and their sizes are shown, with the names of several. Without
// this file the inputs work as browsers make them.
"use strict";

for (const input of document.querySelectorAll(".uploads-form input[type=file]")) {
  const zone = input.closest(".field");
  const chosen = document.createElement("p");
  const hint = document.createElement("span");
  chosen.className = "chosen-files";
  chosen.setAttribute("role", "status");
  hint.className = "hint drop-hint";
  hint.textContent = input.multiple ? "Drop files here, or choose them." : "Drop a file here, or choose it.";
  input.before(hint);
  input.after(chosen);
  zone.classList.add("drop-zone");

  // A drag leaves an element whenever it enters one inside it.
  let depth = 0;
  zone.addEventListener("dragenter", (event) => {
    event.preventDefault();
    depth += 1;
    zone.classList.add("over");
  });
  zone.addEventListener("dragover", (event) => event.preventDefault());
  zone.addEventListener("dragleave", () => {
    depth -= 1;
    if (depth <= 0) leave();
  });
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    leave();
    const dropped = [...event.dataTransfer.files];
    if (!dropped.length) return;
    const kept = new DataTransfer();
    for (const file of input.multiple ? dropped : dropped.slice(0, 1)) kept.items.add(file);
    input.files = kept.files;
    show();
  });
  input.addEventListener("change", show);
  // A browser restores chosen files when a page is shown again.
  show();

  function leave() {
    depth = 0;
    zone.classList.remove("over");
  }

  function show() {
    // A browser shows the name of a single file itself.
    const files = [...input.files];
    const sizes = files.map((file) => `${file.name} (${printSize(file.size)})`);
    chosen.textContent = files.length === 1 ? `Size: ${printSize(files[0].size)}` : sizes.join(", ");
  }
}

function printSize(bytes) {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1e6) return `${(bytes / 1000).toFixed(0)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
