/**
 * Runs over time: `<gs-timeline .nodes=${[{id, gpus}]} .runs=${readRuns(…)} .from=${ms} .to=${ms}>`.
 * With `detail`, lanes are higher and numbered: for one node.
 */
import {html} from "lit";
import {ScrollCanvas} from "../../parts/scroll-canvas.js";
import {go} from "../../lib/router.js";
import {clock, duration} from "../../lib/format.js";
import {jobLink, nodeLink, stateChip, tenantChip} from "../../parts/chips.js";
import {AXIS, Frame, draw} from "./draw.js";
import {Rows} from "./rows.js";

class Timeline extends ScrollCanvas {
  static properties = {
    nodes: {attribute: false}, runs: {attribute: false}, from: {attribute: false}, to: {attribute: false},
    detail: {type: Boolean},
  };
  static measure = "timeline-draw";

  constructor() {
    super();
    /** @type {{id: string, gpus: number}[]} */
    this.nodes = [];
    /** @type {import("./rows.js").Run[]} */
    this.runs = [];
    this.from = 0;
    this.to = 1;
    this.detail = false;
    this.rows = new Rows([], [], 8);
    /** @type {Frame | null} */
    this.frame = null;
  }

  willUpdate(changed) {
    if (changed.has("nodes") || changed.has("runs")) {
      const before = this.rows.runs[this.chosen];
      this.rows = new Rows(this.nodes, this.runs, this.detail ? 22 : 8);
      // The same run has another number in a newer list.
      if (before) {
        this.chosen = this.runs.findIndex(run => run.node_id === before.node_id && run.start === before.start
          && run.job_id === before.job_id && run.gpus.join() === before.gpus.join());
        if (this.chosen < 0) this.pinned = false;
      }
    }
    const names = this.detail ? 54 : this.width < 500 ? 70 : 120;
    this.frame = new Frame(this.rows, this.width, names, this.from, this.to);
  }

  get tall() {
    return this.rows.tall + AXIS;
  }

  get tallest() {
    return Math.max(320, innerHeight - 250);
  }

  draw(sheet) {
    if (this.frame) draw(sheet, this.frame, this.detail);
  }

  at(x, y) {
    const scrolled = this.querySelector(".scan-box")?.scrollTop ?? 0;
    if (!this.frame || y - scrolled < AXIS || this.nodes.length === 0) return -1;
    const node = this.rows.rowAt(y - AXIS);
    // Short runs are widened, so that they can be hit.
    const hit = this.rows.bars(node).findLast(bar => {
      const box = /** @type {Frame} */ (this.frame).box(bar, node);
      return x >= box.x - 2 && x <= box.x + box.width + 2 && y >= box.y && y <= box.y + box.height + 1;
    });
    return hit ? hit.run : -1;
  }

  boxOf(number) {
    const run = this.runs[number];
    const node = run ? this.rows.numbers.get(run.node_id) : undefined;
    if (!this.frame || node === undefined) return null;
    const boxes = this.rows.bars(node).filter(bar => bar.run === number).map(bar => /** @type {Frame} */ (this.frame).box(bar, node));
    if (boxes.length === 0) return null;
    const y = Math.min(...boxes.map(box => box.y));
    return {x: boxes[0].x, y, width: boxes[0].width, height: Math.max(...boxes.map(box => box.y + box.height)) - y};
  }

  card(number) {
    const run = this.runs[number];
    return html`<div class="fleet-card">
      <strong>${run.job_id ? jobLink(run.job_id, run.name ?? "") : "A job of another tenant"}</strong>
      <span class="muted">${run.job_id ?? ""}${run.attempt > 1 ? ` · attempt ${run.attempt}` : ""}</span>
      <dl class="facts">
        ${run.tenant_id ? html`<dt>Tenant</dt><dd>${tenantChip(run.tenant_id)}</dd>` : ""}
        <dt>Node</dt><dd>${nodeLink(run.node_id)}</dd>
        <dt>GPUs</dt><dd>${run.gpus.length ? run.gpus.join(", ") : "none"}</dd>
        <dt>Start</dt><dd>${clock(run.start)}</dd>
        <dt>End</dt><dd>${run.end ? clock(run.end) : "still running"}</dd>
        <dt>Ran for</dt><dd>${duration((run.to - run.from) / 1000)}</dd>
        <dt>Result</dt><dd>${stateChip(run.end_kind)}</dd>
      </dl></div>`;
  }

  inWords(number) {
    const run = this.runs[number];
    return `${run.name ?? "a job of another tenant"} ${run.job_id ?? ""} on ${run.node_id}, GPUs ${run.gpus.join(", ") || "none"}, `
      + `from ${clock(run.start)} for ${duration((run.to - run.from) / 1000)}, ${run.end_kind}`;
  }

  open(number) {
    const job = this.runs[number].job_id;
    if (job) go(["jobs", job]);
  }

  /** Left and right go through the runs of a node, up and down to another node at about the same time. */
  next(key) {
    const filled = [...this.rows.ofNode.keys()].sort((a, b) => a - b);
    if (filled.length === 0) return -1;
    const runsOf = node => this.rows.ofNode.get(node) ?? [];
    if (key === "Home") return runsOf(filled[0])[0];
    if (key === "End") return runsOf(filled[filled.length - 1]).at(-1) ?? -1;
    if (!["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(key)) return -1;
    const run = this.runs[this.chosen];
    const node = run ? this.rows.numbers.get(run.node_id) : undefined;
    if (node === undefined) return runsOf(filled[0])[0];
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const list = runsOf(node);
      return list[Math.max(0, Math.min(list.length - 1, list.indexOf(this.chosen) + (key === "ArrowLeft" ? -1 : 1)))];
    }
    const row = Math.max(0, Math.min(filled.length - 1, filled.indexOf(node) + (key === "ArrowUp" ? -1 : 1)));
    return runsOf(filled[row]).reduce((best, other) =>
      (Math.abs(this.runs[other].from - run.from) < Math.abs(this.runs[best].from - run.from) ? other : best));
  }
}

customElements.define("gs-timeline", Timeline);
