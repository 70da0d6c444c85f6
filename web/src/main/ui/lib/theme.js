/** Dark, light, or as the system says. */
const KEY = "gpu-scheduler-theme";

/** @returns {"dark" | "light" | "system"} */
export function theme() {
  const chosen = localStorage.getItem(KEY);
  return chosen === "dark" || chosen === "light" ? chosen : "system";
}

/** @param {"dark" | "light" | "system"} chosen */
export function setTheme(chosen) {
  if (chosen === "system") {
    localStorage.removeItem(KEY);
  } else {
    localStorage.setItem(KEY, chosen);
  }
  applyTheme();
}

export function isDark() {
  return theme() === "dark" || (theme() === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
}

export function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  dispatchEvent(new Event("themechange"));
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
