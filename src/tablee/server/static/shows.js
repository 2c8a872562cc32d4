// Something on the table that changes the rest of its page says so: while an element with data-shows="end" is there and
// not hidden, #table has the class shows-end. A style sheet asks for that class and not for `:has()`: high up, that has
// the browser go through the whole page, board and all, at every change of any part.
(() => {
  function note() {
    const table = document.getElementById("table");
    if (!table) return;
    const showing = table.querySelectorAll("[data-shows]:not([hidden])");
    const shown = [...showing].map((each) => `shows-${each.getAttribute("data-shows")}`);
    table.className = [...new Set(shown)].join(" ");
  }
  // before anything is painted
  new MutationObserver(note).observe(document, { subtree: true, childList: true, attributeFilter: ["hidden"] });
  document.addEventListener("tablee:drawn", note); // at once, for whoever measures next
})();
