// The reader's choice of light or dark, applied before the first paint.
const savedTheme = localStorage.getItem("tablee-theme");
if (savedTheme) document.documentElement.dataset.theme = savedTheme;
addEventListener("DOMContentLoaded", () => {
  document.getElementById("theme")?.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    localStorage.setItem("tablee-theme", root.dataset.theme);
  });
});
