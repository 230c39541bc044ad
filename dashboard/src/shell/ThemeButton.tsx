import { useState } from "react";
import { Icon } from "../parts/Icon";

/** Light or dark. `theme.js` sets the chosen one before the first paint. */
export function ThemeButton() {
  const root = document.documentElement;
  const [theme, setTheme] = useState(root.dataset.theme ?? "light");
  const other = theme === "dark" ? "light" : "dark";
  function toggle() {
    root.dataset.theme = other;
    setTheme(other);
    try {
      localStorage.setItem("backstory.theme", other);
    } catch {
      // Storage may be switched off: the choice lasts as long as the page.
    }
  }
  return (
    <button className="button quiet only-icon" aria-label={`Switch to ${other}`} title={`Switch to ${other}`} onClick={toggle}>
      <Icon name={theme === "dark" ? "sun" : "moon"} />
    </button>
  );
}
