/**
 * One colour per tenant, the same in every view; scales for the heat map. The palette keeps apart
 * for people with colour vision deficiency and has enough contrast on both themes.
 */
const PALETTE = [
  "#3b82c4", "#d97706", "#2f9e6e", "#b4509b", "#8a7a1f", "#6d6ad8", "#c2504d", "#20938f",
  "#9a6b3f", "#5a8f29", "#a05fd0", "#5f7487",
];

/** @type {Map<string, string>} */
const known = new Map();

function hash(text) {
  let value = 2166136261;
  for (const letter of text) {
    value = Math.imul(value ^ letter.codePointAt(0), 16777619);
  }
  return value >>> 0;
}

/** Fixes the colours of these tenants, so that two of them share one only if there are many. @param {string[]} tenants */
export function assignColours(tenants) {
  const taken = new Set(known.values());
  for (const tenant of [...tenants].sort()) {
    if (known.has(tenant)) continue;
    let at = hash(tenant) % PALETTE.length;
    for (let tries = 0; tries < PALETTE.length && taken.has(PALETTE[at]); tries++) {
      at = (at + 1) % PALETTE.length;
    }
    known.set(tenant, PALETTE[at]);
    taken.add(PALETTE[at]);
  }
}

/** @param {string | null | undefined} tenant */
export function tenantColour(tenant) {
  if (!tenant) return "#8b97a5";
  if (!known.has(tenant)) assignColours([tenant]);
  return /** @type {string} */ (known.get(tenant));
}

/** What the scheduler thinks of a GPU, by its number in the picture of the fleet. */
export const HEALTH = [
  {name: "healthy", colour: "#2f9e6e"},
  {name: "hot", colour: "#d97706"},
  {name: "unfit", colour: "#c2504d"},
];

/** A colour for 0..1, from cool to hot, for temperature, use and power. @param {number} value */
export function heat(value) {
  const stops = [[46, 98, 150], [44, 152, 144], [226, 178, 60], [216, 82, 60]];
  const at = Math.min(1, Math.max(0, value)) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  const part = at - low;
  const mixed = stops[low].map((channel, i) => Math.round(channel + (stops[low + 1][i] - channel) * part));
  return `rgb(${mixed.join(" ")})`;
}

/** A colour of the present theme, for canvas drawings. @param {string} name such as `--line` */
export function themeColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Red, green and blue of `#rrggbb` or `rgb(r g b)`. @param {string} colour @returns {[number, number, number]} */
export function channels(colour) {
  const hex = /^#([0-9a-f]{6})$/i.exec(colour);
  if (hex) {
    const value = parseInt(hex[1], 16);
    return [value >> 16, (value >> 8) & 255, value & 255];
  }
  const [red = 128, green = 128, blue = 128] = (colour.match(/\d+/g) ?? []).map(Number);
  return [red, green, blue];
}

/** Black or white, whichever has more contrast with a colour: at least 4.5 to 1. @param {string} colour */
export function readable(colour) {
  const [red, green, blue] = channels(colour).map(channel => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
}
