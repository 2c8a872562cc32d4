// Classes of #table for what is shown on it: while an element with data-shows="end" is there and not hidden, #table has
// the class shows-end. Style sheets use that class instead of `:has()`, which makes the browser check the whole page,
// board and all, at every change of a fragment.
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
  document.addEventListener("tablee:drawn", note); // at once, before other listeners measure
})();
