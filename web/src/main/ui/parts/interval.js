/** A figure with its interval on a common scale, drawn as a line with a dot. */
import {svg, html} from "lit";

/** @typedef {{low: number | null, mid: number, high: number | null}} Interval */
/** @typedef {{from: number, to: number, log?: boolean}} Scale */

const WIDTH = 200;
const HEIGHT = 18;

/** Where a value is on the scale, 0..1. @param {number} value @param {Scale} scale */
export function place(value, scale) {
  const at = scale.log
    ? Math.log(Math.max(value, scale.from) / scale.from) / Math.log(scale.to / scale.from)
    : (value - scale.from) / (scale.to - scale.from);
  return Number.isFinite(at) ? Math.min(1, Math.max(0, at)) : 0;
}

/** A scale that holds all these intervals, and 0 if it is not logarithmic. @param {Interval[]} all @returns {Scale} */
export function scaleOf(all, log = false) {
  const values = all.flatMap(one => [one.low, one.mid, one.high]).filter(value => value !== null && Number.isFinite(value));
  if (log) {
    const positive = values.filter(value => value > 0);
    const from = positive.length ? Math.min(...positive) : 1;
    const to = positive.length ? Math.max(...positive) : 10;
    return {from: from * 0.9, to: Math.max(to * 1.1, from * 2), log};
  }
  const from = Math.min(0, ...values);
  const to = Math.max(0, ...values);
  const margin = (to - from || 1) * 0.04;
  return {from: from < 0 ? from - margin : 0, to: to > 0 ? to + margin : 0};
}

/**
 * @param {string} label the same in words, for screen readers
 * @param {Interval} interval
 * @param {Scale} scale
 * @param {{tone?: string, bar?: boolean, ticks?: number[]}} options `bar`: from zero to the value; `ticks`: values with a thin line
 */
export function intervalBar(label, interval, scale, options = {}) {
  const x = value => place(value, scale) * WIDTH;
  const middle = HEIGHT / 2;
  const zero = scale.log ? 0 : x(0);
  const {low, mid, high} = interval;
  return html`<svg class="interval ${options.tone ?? ""}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none"
      role="img" aria-label=${label}>
    ${(options.ticks ?? []).map(tick => svg`<line class="tick" x1=${x(tick)} x2=${x(tick)} y1="0" y2=${HEIGHT}></line>`)}
    ${options.bar ? svg`<rect class="bar" x=${Math.min(zero, x(mid))} y="4" width=${Math.abs(x(mid) - zero)} height=${HEIGHT - 8}></rect>` : ""}
    ${low === null || high === null ? "" : svg`<rect class="span" x=${x(low)} y=${middle - 2.5} width=${Math.max(1, x(high) - x(low))} height="5"></rect>`}
    ${svg`<line class="mid" x1=${x(mid)} x2=${x(mid)} y1="2" y2=${HEIGHT - 2}></line>`}
  </svg>`;
}
