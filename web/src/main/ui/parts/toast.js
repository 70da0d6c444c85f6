/** Short messages about what has just happened. Screen readers read them out. */
const SHOWN = 6_000;

/** @param {string} text @param {"good" | "warn" | "bad"} tone */
export function toast(text, tone = "good") {
  let host = document.querySelector(".toasts");
  if (!host) {
    host = document.createElement("div");
    host.className = "toasts";
    host.setAttribute("role", "status");
    host.setAttribute("aria-live", "polite");
    document.body.append(host);
  }
  const one = document.createElement("div");
  one.className = `toast ${tone}`;
  one.textContent = text;
  host.append(one);
  setTimeout(() => one.remove(), SHOWN);
}
