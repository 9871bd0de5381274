// The image on a phone: a thumbnail that shrinks while one scrolls, so that it stays in sight of every answer, and that
// a tap enlarges. Without this script it stays in sight at its full size, and a tap opens it in a new tab.
"use strict";

const pictures = [...document.querySelectorAll("[data-stays]")];
document.documentElement.classList.add("shrinks");

function shrink() {
  for (const picture of pictures) {
    // Its lower edge stays where the layout put it, so nothing on the page moves.
    const bottom = Math.max(0, picture.getBoundingClientRect().bottom);
    picture.style.setProperty("--seen", `${bottom}px`);
    picture.classList.toggle("is-small", bottom < picture.offsetHeight);
  }
}

let isPlanned = false;
function plan() {
  if (isPlanned) return;
  isPlanned = true;
  requestAnimationFrame(() => {
    isPlanned = false;
    shrink();
  });
}
if (pictures.length) {
  addEventListener("scroll", plan, { passive: true });
  addEventListener("resize", plan);
  shrink();
}

for (const link of document.querySelectorAll("[data-enlarge]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    enlarge(link);
  });
}

function enlarge(link) {
  const dialog = document.createElement("dialog");
  const picture = link.parentElement.querySelector("img");
  const close = document.createElement("button");
  dialog.className = "enlarged";
  dialog.setAttribute("aria-label", picture.alt);
  close.type = "button";
  close.className = "primary";
  close.textContent = link.dataset.close;
  dialog.append(picture.cloneNode(), close);
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
