/** Answers of the history routes. A young server has no figures for most of a long range. */

/** The first point with a figure; 0 if there is none. @param {(number | null)[]} values */
export function firstFigure(values) {
  return Math.max(0, values.findIndex(value => value !== null));
}

/**
 * The answer without the points before `first`.
 *
 * @template {{times: number[], series?: Record<string, any[]>, tenants?: Record<string, any[]>}} History
 * @param {number} first @param {History} history @returns {History}
 */
export function cutBefore(first, history) {
  const cut = all => all && Object.fromEntries(Object.entries(all).map(([name, values]) => [name, values.slice(first)]));
  return {...history, times: history.times.slice(first), series: cut(history.series), tenants: cut(history.tenants)};
}
