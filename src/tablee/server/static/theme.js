// The reader's choice of light or dark, applied before the first paint.
const kept = localStorage.getItem("tablee-theme");
if (kept) document.documentElement.dataset.theme = kept;
addEventListener("DOMContentLoaded", () => {
  document.getElementById("theme")?.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    localStorage.setItem("tablee-theme", root.dataset.theme);
  });
});
