// Before the first paint, so that a dark page does not flash white. Its own file, since the service forbids inline scripts.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("backstory.theme");
  } catch {
    // Storage may be switched off.
  }
  const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
