// Runs before the first paint, so the page never flashes the other theme. Keep the keys in step with src/stores/preferences.ts.
(function () {
  var root = document.documentElement;
  var saved = {};
  try {
    saved = (JSON.parse(localStorage.getItem("ferroflow.preferences") || "{}") || {}).state || {};
  } catch (_) {
    saved = {};
  }
  var dark =
    saved.theme === "dark" ||
    (saved.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = dark ? "dark" : "light";
  root.dataset.density = saved.density === "compact" ? "compact" : "comfortable";
  root.dataset.motion = saved.motion === "reduced" ? "reduced" : "system";
  if (saved.language) root.lang = saved.language;
  var meta = document.querySelector('meta[name="theme-color"]');
  if (meta) meta.content = dark ? "#15171a" : "#ffffff";
})();
