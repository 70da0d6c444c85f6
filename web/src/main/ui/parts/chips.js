/** Small marks that look the same in every view: tenants, states, severities, links to things. */
import {html} from "lit";
import {styled} from "../lib/styled.js";
import {tenantColour} from "../lib/colours.js";
import {link} from "../lib/router.js";

/** @param {string | null | undefined} tenant */
export function tenantChip(tenant) {
  if (!tenant) return html`<span class="chip quiet">another tenant</span>`;
  return html`<a class="chip tenant" href=${link(["tenants", tenant])} title=${tenant}
      ><i class="dot" ${styled({"--colour": tenantColour(tenant)})}></i><bdi>${tenant}</bdi></a>`;
}

const TONES = {
  running: "good", completed: "good", ready: "good", healthy: "good", better: "good",
  pending: "info", scheduled: "info", starting: "info", draining: "warn", held: "quiet",
  preempted: "warn", requeued: "warn", stopping: "warn", cordoned: "warn", unreachable: "warn", hot: "warn",
  failed: "bad", lost: "bad", unfit: "bad", worse: "bad", cancelled: "quiet", drained: "quiet",
  scaling: "info", degraded: "bad", stopped: "quiet", waiting: "info",
  critical: "bad", warning: "warn", info: "info", firing: "bad", resolved: "good",
};

/** @param {string} state */
export function stateChip(state) {
  return html`<span class="chip state ${TONES[state] ?? "quiet"}">${state}</span>`;
}

/** @param {string | null} id @param {string} text */
export function jobLink(id, text = "") {
  return id ? html`<a href=${link(["jobs", id])}><bdi>${text || id}</bdi></a>` : html`<span class="muted">a job of another tenant</span>`;
}

/** @param {string} name */
export function poolLink(name) {
  return html`<a href=${link(["pools", name])} title=${name}><bdi>${name}</bdi></a>`;
}

/** @param {string} id */
export function nodeLink(id) {
  return html`<a href=${link(["nodes", id])}><bdi>${id}</bdi></a>`;
}
