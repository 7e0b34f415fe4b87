"use strict";

document.addEventListener("DOMContentLoaded", () => {
  for (const element of document.querySelectorAll(".math")) {
    katex.render(element.textContent, element, { displayMode: element.classList.contains("display") });
  }
});
