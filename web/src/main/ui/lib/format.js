/** Numbers and times as people read them. Every function accepts null and gives "–" for it. */

const COUNT = new Intl.NumberFormat("en", {maximumFractionDigits: 1});
const CLOCK = new Intl.DateTimeFormat("en-GB", {hour: "2-digit", minute: "2-digit", second: "2-digit"});
const MINUTE = new Intl.DateTimeFormat("en-GB", {hour: "2-digit", minute: "2-digit"});
const DAY = new Intl.DateTimeFormat("en-GB", {day: "numeric", month: "short"});
export const NONE = "–";

/** @param {number | null | undefined} value */
export function count(value) {
  return value === null || value === undefined || Number.isNaN(value) ? NONE : COUNT.format(value);
}

/** @param {number | null | undefined} ratio of 1 @param {number} digits */
export function percent(ratio, digits = 0) {
  return ratio === null || ratio === undefined || Number.isNaN(ratio) ? NONE : `${(ratio * 100).toFixed(digits)} %`;
}

/** A duration: `42 s`, `3m 20s`, `2h 5m`, `4d 3h`. @param {number | null | undefined} seconds */
export function duration(seconds) {
  if (seconds === null || seconds === undefined || Number.isNaN(seconds)) return NONE;
  if (seconds > 0 && seconds < 10 && seconds % 1 !== 0) return `${seconds.toFixed(1)} s`;
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${whole % 60}s`;
  if (whole < 86_400) return `${Math.floor(whole / 3600)}h ${Math.floor((whole % 3600) / 60)}m`;
  return `${Math.floor(whole / 86_400)}d ${Math.floor((whole % 86_400) / 3600)}h`;
}

/** Seconds from `from` to `to`. @param {string | null} from @param {string | null} to now if absent */
export function between(from, to = null) {
  return from ? ((to ? Date.parse(to) : Date.now()) - Date.parse(from)) / 1000 : null;
}

/** A time of day, with the day if it is not today. @param {string | number | null | undefined} time */
export function clock(time) {
  if (time === null || time === undefined || time === "") return NONE;
  const date = new Date(time);
  const today = date.toDateString() === new Date().toDateString();
  return (today ? "" : DAY.format(date) + " ") + CLOCK.format(date);
}

/** @param {string | number} time */
export function isToday(time) {
  return new Date(time).toDateString() === new Date().toDateString();
}

/** `19 Nov`. @param {string | number} time */
export function day(time) {
  return DAY.format(new Date(time));
}

/** A time of day without seconds, with the day if it is not today. @param {string | number | null | undefined} time */
export function minute(time) {
  if (time === null || time === undefined || time === "") return NONE;
  const date = new Date(time);
  const today = date.toDateString() === new Date().toDateString();
  return (today ? "" : DAY.format(date) + " ") + MINUTE.format(date);
}

/** `3m 20s ago`. @param {string | null | undefined} time */
export function ago(time) {
  return time ? `${duration(between(time))} ago` : NONE;
}

/** @param {number | null | undefined} megabytes */
export function memory(megabytes) {
  if (megabytes === null || megabytes === undefined) return NONE;
  return megabytes < 1024 ? `${count(megabytes)} MB` : `${count(Math.round(megabytes / 102.4) / 10)} GB`;
}

/** @param {number} value @param {string} one @param {string} many */
export function plural(value, one, many = one + "s") {
  return `${count(value)} ${value === 1 ? one : many}`;
}
