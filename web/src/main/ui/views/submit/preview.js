/** What would happen to a job that is not submitted yet: the answer of a dry run. */
import {html} from "lit";
import {count, plural} from "../../lib/format.js";
import {scoreTerms, victims} from "../job/why.js";
import {problemText} from "./fields.js";

const VERDICTS = {
  starts: ["good", "It would start now"],
  makes_room: ["warn", "It would start now and preempt other jobs"],
  waits: ["warn", "It would wait"],
  held: ["", "It would be held until it is released"],
  repeats: ["warn", "It is already submitted"],
};

/**
 * @param {any} preview null before the first answer
 * @param {import("../../lib/api.js").ApiError | null} error
 * @param {boolean} busy
 */
export function jobPreview(preview, error, busy) {
  if (error) {
    return html`<div class="notice bad" role="alert"><strong>${error.status === 0 ? "The scheduler does not answer" : "It would be refused"}</strong>
      <p>${error.status === 0 ? "The form is kept in this tab. The check is repeated when the scheduler answers." : problemText(error)}</p>
      ${error.status !== 0 && error.hint && !error.field ? html`<p class="muted">${error.hint}</p>` : ""}</div>`;
  }
  if (!preview) return html`<p class="muted">${busy ? "Checking …" : "The form is checked as you type. Nothing is submitted by that."}</p>`;
  const [tone, title] = VERDICTS[preview.verdict] ?? ["", preview.verdict];
  return html`<div class="notice ${tone}" role="status"><strong>${title}</strong>
      <p><bdi>${preview.place ? html`On ${preview.place}${victims(preview)}.` : preview.summary}</bdi></p>
      ${preview.position && !preview.place ? html`<p class="muted">Position ${count(preview.position)}, behind ${plural(preview.ahead, "job")}.</p>` : ""}</div>`;
}

/**
 * More about the same answer: warnings, changes with which it would start, reasons.
 *
 * @param {any} preview @param {(field: string, to: string) => void} apply makes a proposed change in the form
 */
export function previewDetails(preview, apply) {
  if (!preview) return "";
  return html`${preview.warnings.map(one => html`<div class="notice warn" role="status"><bdi>${one}</bdi></div>`)}
    ${proposals(preview, apply)}${reasons(preview)}
    ${preview.score_terms?.length > 0 ? html`<details><summary>Why there</summary>${scoreTerms(preview)}</details>` : ""}`;
}

function proposals(preview, apply) {
  const changes = (preview.changes ?? []).filter(one => one.field !== "quota");
  if (changes.length === 0) return "";
  return html`<h3>With one of these changes it would start now</h3>
    <ul class="plain why-changes">${changes.map(one => html`<li>
      <span><bdi>${one.change}</bdi> <span class="muted">on <bdi>${one.place}</bdi>${victims(one)}</span></span>
      <button type="button" class="button small" @click=${() => apply(one.field, one.to)}>Use</button></li>`)}</ul>`;
}

function reasons(preview) {
  const all = preview.reasons ?? [];
  if (all.length < 2) return "";
  return html`<h3>Reasons</h3><ul class="submit-reasons">${all.map(one => html`<li><bdi>${one.why}</bdi>
    ${one.nodes > 0 ? html`<span class="muted">(${plural(one.nodes, "node")})</span>` : ""}
    <span class="muted"><bdi>${one.lifted_by.length > 0 ? `– ends when ${one.lifted_by.join("; ")}` : ""}</bdi></span></li>`)}</ul>`;
}
