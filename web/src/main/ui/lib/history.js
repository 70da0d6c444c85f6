/** Answers of the history routes. A young server has no figures for most of a long range. */

/**
 * The answer from the first to the last point that has a figure in `values`; the whole answer if
 * none has.
 *
 * @template {{times: number[], series?: Record<string, any[]>, tenants?: Record<string, any[]>}} History
 * @param {(number | null)[]} values @param {History} history @returns {History}
 */
export function withFigures(values, history) {
  const first = values.findIndex(value => value !== null);
  if (first < 0) return history;
  const end = values.findLastIndex(value => value !== null) + 1;
  const cut = all => all && Object.fromEntries(Object.entries(all).map(([name, one]) => [name, one.slice(first, end)]));
  return {...history, times: history.times.slice(first, end), series: cut(history.series), tenants: cut(history.tenants)};
}
