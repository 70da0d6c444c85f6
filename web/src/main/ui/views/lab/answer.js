/** The answer to a what-if. */
import {html, svg} from "lit";
import {clock, count, duration, between, plural} from "../../lib/format.js";
import {jobLink} from "../../parts/chips.js";
import {sides} from "../../parts/sides.js";

const SHOWN = 5;

/** @param {any} result */
export function answer(result) {
  const names = {before: `as it was: ${result.recorded_policy}`, after: `with ${result.policy}`};
  return html`<p>${verdict(result)}</p>
    <p class="muted">${clock(result.from)} to ${clock(result.to)} (${duration(between(result.from, result.to))}); ${count(result.events)} events,
      ${plural(result.decisions, "decision")}${result.guessed_runs ? `; the run times of ${plural(result.guessed_runs, "run")} are estimated` : ""}.
      ${result.placement === result.recorded_placement ? "" : `Placement ${result.recorded_placement} → ${result.placement}.`}</p>
    ${starts(result.starts)}
    ${sides(result.recorded, result.what_if, names)}
    ${result.first_difference ? difference(result.first_difference) : ""}
    ${result.starts.last.length ? others(result.starts.last) : ""}`;
}

function verdict(result) {
  if (!result.first_difference) return html`<strong>Every decision is the one that was recorded.</strong>`;
  const from = result.recorded.all.wait_mean_seconds;
  const to = result.what_if.all.wait_mean_seconds;
  const words = Math.abs(from - to) < 0.5 ? "as long as they did" : `${duration(Math.abs(from - to))} ${to < from ? "less" : "more"}`;
  return html`With <strong>${result.policy}</strong>, jobs would have waited <strong>${words}</strong> on average:
    ${duration(to)} instead of ${duration(from)}.`;
}

/** @param {any} starts of a what-if or of the shadow */
export function starts(starts) {
  const all = starts.same + starts.earlier + starts.later || 1;
  const words = `${count(starts.earlier)} earlier, ${count(starts.same)} at the same time, ${count(starts.later)} later`;
  return html`<div class="lb-starts"><svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="Jobs that start ${words}">
      ${bars([[starts.earlier, "good"], [starts.same, "quiet"], [starts.later, "bad"]], all)}</svg>
    <span>jobs start: <span class="sd-change good">${count(starts.earlier)} earlier</span>, ${count(starts.same)} at the same time,
      <span class="sd-change bad">${count(starts.later)} later</span>${starts.only_recorded ? `, ${count(starts.only_recorded)} only as it was` : ""}${starts.only_what_if ? `, ${count(starts.only_what_if)} only then` : ""}</span></div>`;
}

function bars(parts, all) {
  let offset = 0;
  return parts.map(([value, tone]) => {
    const x = (offset / all) * 100;
    offset += value;
    return svg`<rect class=${tone} x=${x} width=${(value / all) * 100} height="10"></rect>`;
  });
}

/** @param {any} difference */
export function difference(difference) {
  const side = (name, all) => html`<div><h3>${name}</h3><ul>${all.length === 0 ? html`<li class="muted">nothing</li>` : ""}
    ${all.slice(0, SHOWN).map(text => html`<li><bdi>${text}</bdi></li>`)}${all.length > SHOWN ? html`<li class="muted">and ${count(all.length - SHOWN)} more</li>` : ""}</ul></div>`;
  return html`<details class="lb-details"><summary>The first decision that differs, ${clock(difference.at)}, batch ${count(difference.batch)}</summary>
    <div class="lb-two">${side("As it was", difference.recorded)}${side("Otherwise", difference.what_if)}</div></details>`;
}

/** @param {any[]} last jobs that started at another time */
export function others(last) {
  return html`<details class="lb-details"><summary>Jobs that start at another time (the last ${count(last.length)})</summary>
    <div class="scroll-x" tabindex="0" role="region" aria-label="Jobs that start at another time"><table class="plain"><thead><tr><th>Job</th><th class="right">Started</th><th class="right">Otherwise</th><th class="right">Difference</th></tr></thead>
      <tbody>${last.map(one => {
        const gained = between(one.what_if, one.recorded) ?? 0;
        return html`<tr><td>${jobLink(one.job_id)}</td><td class="right">${clock(one.recorded)}</td><td class="right">${clock(one.what_if)}</td>
          <td class="right sd-change ${gained > 0 ? "good" : "bad"}">${duration(Math.abs(gained))} ${gained > 0 ? "earlier" : "later"}</td></tr>`;
      })}</tbody></table></div></details>`;
}
