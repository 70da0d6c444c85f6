/** What the colours of the heat map mean, and the colour of every GPU. */
import {HEALTH, channels, heat, tenantColour, themeColour} from "../../lib/colours.js";
import {FREE} from "./data.js";

/**
 * @typedef {{title: string, unit: string, figure?: "util" | "temp" | "mem" | "power", least?: number, most?: number}} Mode
 *     `figure`: the array of the picture that gives the value; `most` absent: the highest value, rounded up
 */

/** @type {Record<string, Mode>} */
export const MODES = {
  use: {title: "Use", unit: "%", figure: "util", least: 0, most: 100},
  tenant: {title: "Tenant", unit: ""},
  temperature: {title: "Temperature", unit: "°C", figure: "temp", least: 30, most: 90},
  memory: {title: "Memory", unit: "%", figure: "mem", least: 0, most: 100},
  power: {title: "Power", unit: "W", figure: "power", least: 0},
  health: {title: "Health", unit: ""},
};

/** The ends of a mode's scale. @param {import("./data.js").Fleet} fleet @param {string} name @returns {[number, number]} */
export function scale(fleet, name) {
  const mode = MODES[name];
  if (!mode.figure) return [0, 1];
  if (mode.most !== undefined) return [mode.least ?? 0, mode.most];
  let most = 0;
  for (const value of fleet[mode.figure]) most = Math.max(most, value);
  return [mode.least ?? 0, Math.max(100, Math.ceil(most / 100) * 100)];
}

/** A pixel as the canvas stores it. @param {string} colour */
export function pixel(colour) {
  const [red, green, blue] = channels(colour);
  return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
}

/** @param {number} one @param {number} other @param {number} part of `one`, 0..256 */
export function blend(one, other, part) {
  const rest = 256 - part;
  const outer = (((one & 0xff00ff) * part + (other & 0xff00ff) * rest) >>> 8) & 0xff00ff;
  const inner = (((one & 0x00ff00) * part + (other & 0x00ff00) * rest) >>> 8) & 0x00ff00;
  return (0xff000000 | outer | inner) >>> 0;
}

const STEPS = 100;

/**
 * One pixel per GPU.
 *
 * @param {import("./data.js").Fleet} fleet @param {string} name of the mode
 * @param {string} tenant the only tenant that is shown in full colour; empty for all
 * @param {Uint32Array} into
 */
export function paint(fleet, name, tenant, into) {
  const unknown = pixel(themeColour("--muted"));
  const mode = MODES[name];
  if (mode.figure) {
    const [least, most] = scale(fleet, name);
    const steps = new Uint32Array(STEPS + 1);
    for (let i = 0; i <= STEPS; i++) steps[i] = pixel(heat(i / STEPS));
    const values = fleet[mode.figure];
    const factor = STEPS / (most - least);
    for (let gpu = 0; gpu < into.length; gpu++) {
      const value = values[gpu];
      const step = Math.round((value - least) * factor);
      into[gpu] = value < 0 ? unknown : steps[step < 0 ? 0 : step > STEPS ? STEPS : step];
    }
  } else if (name === "health") {
    const colours = HEALTH.map(one => pixel(one.colour));
    for (let gpu = 0; gpu < into.length; gpu++) into[gpu] = colours[fleet.health[gpu]];
  } else {
    const colours = fleet.tenants.map(one => pixel(tenantColour(one)));
    for (let gpu = 0; gpu < into.length; gpu++) {
      const holder = fleet.tenant[gpu];
      into[gpu] = holder >= 0 ? colours[holder] : unknown;
    }
  }
  const only = tenant ? fleet.tenants.indexOf(tenant) : FREE;
  if (only >= 0) fade(fleet, only, into);
}

/** The GPUs of other tenants stay as a shadow, so that one sees what is around. */
function fade(fleet, only, into) {
  const ground = pixel(themeColour("--surface"));
  for (let gpu = 0; gpu < into.length; gpu++) {
    if (fleet.tenant[gpu] !== only) into[gpu] = blend(into[gpu], ground, 50);
  }
}

/** The figure of a GPU as text for its cell. @param {import("./data.js").Fleet} fleet @param {string} name @param {number} gpu */
export function figureOf(fleet, name, gpu) {
  const mode = MODES[name];
  if (mode.figure) return fleet[mode.figure][gpu] < 0 ? "" : String(fleet[mode.figure][gpu]);
  if (name === "health") return fleet.health[gpu] === 0 ? "" : HEALTH[fleet.health[gpu]].name;
  return fleet.job[gpu] > 0 ? String(fleet.job[gpu]) : "";
}
