/**
 * Rows of the timeline: one per node, with a lane per GPU. The bars of a node are computed when it
 * comes into sight, because most of thousands of nodes never do.
 */

/**
 * @typedef {{job_id: string | null, attempt: number, name: string | null, tenant_id: string | null, node_id: string,
 *     gpus: number[], start: string, end: string | null, end_kind: string, from: number, to: number}} Run
 *     `from` and `to` in milliseconds; `to` of a running job is now
 * @typedef {{run: number, lane: number, lanes: number, slot: number, slots: number}} Bar
 *     GPUs beside each other in one bar; jobs that share a GPU at the same time have slots of its lane
 */

const BETWEEN = 8;
const SAME_MOMENT = 1_000;

/** @param {any[]} runs of `GET /api/v1/runs` @param {number} now @returns {Run[]} */
export function readRuns(runs, now) {
  return runs.map(run => ({...run, from: Date.parse(run.start), to: run.end ? Date.parse(run.end) : now}));
}

export class Rows {
  /**
   * @param {{id: string, gpus: number}[]} nodes in their order
   * @param {Run[]} runs @param {number} lane height of one
   */
  constructor(nodes, runs, lane) {
    this.nodes = nodes;
    this.runs = runs;
    this.lane = lane;
    const numbers = new Map(nodes.map((node, i) => [node.id, i]));
    /** Runs of each node by start; empty entries are absent. @type {Map<number, number[]>} */
    this.ofNode = new Map();
    runs.forEach((run, i) => {
      const node = numbers.get(run.node_id);
      if (node === undefined) return;
      if (!this.ofNode.has(node)) this.ofNode.set(node, []);
      this.ofNode.get(node)?.push(i);
    });
    for (const list of this.ofNode.values()) list.sort((a, b) => runs[a].from - runs[b].from);
    /** Upper edge of each row, and the height of all at the end. */
    this.tops = new Float64Array(nodes.length + 1);
    nodes.forEach((node, i) => (this.tops[i + 1] = this.tops[i] + this.lanes(i) * lane + BETWEEN));
    this.numbers = numbers;
    /** @type {Map<number, Bar[]>} */
    this.#bars = new Map();
  }

  #bars;

  /** A node whose jobs use no GPU has one more lane for them. @param {number} node */
  lanes(node) {
    const bare = this.ofNode.get(node)?.some(run => this.runs[run].gpus.length === 0);
    return Math.max(1, this.nodes[node].gpus + (bare ? 1 : 0));
  }

  get tall() {
    return this.tops[this.nodes.length];
  }

  /** The row at a height. @param {number} y */
  rowAt(y) {
    let low = 0;
    let high = this.nodes.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tops[middle] <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** @param {number} node @returns {Bar[]} */
  bars(node) {
    let bars = this.#bars.get(node);
    if (!bars) {
      bars = (this.ofNode.get(node) ?? []).flatMap(run => this.#barsOf(run, node));
      this.#share(bars);
      if (this.#bars.size > 500) this.#bars.clear();
      this.#bars.set(node, bars);
    }
    return bars;
  }

  #barsOf(run, node) {
    const gpus = [...this.runs[run].gpus].sort((a, b) => a - b);
    if (gpus.length === 0) return [{run, lane: this.nodes[node].gpus, lanes: 1, slot: 0, slots: 1}];
    /** @type {Bar[]} */
    const bars = [];
    for (const gpu of gpus) {
      const last = bars[bars.length - 1];
      if (last && last.lane + last.lanes === gpu) last.lanes++;
      else bars.push({run, lane: gpu, lanes: 1, slot: 0, slots: 1});
    }
    return bars;
  }

  /** Jobs with parts of one GPU run at the same time: each gets a slot of the lane. */
  #share(bars) {
    /** @type {Map<number, Bar[]>} */
    const lanes = new Map();
    for (const bar of bars) {
      if (bar.lanes === 1) lanes.set(bar.lane, [...(lanes.get(bar.lane) ?? []), bar]);
    }
    for (const lane of lanes.values()) this.#shareLane(lane);
  }

  #shareLane(lane) {
    /** @type {Bar[]} */
    let together = [];
    let ends = [];
    const close = () => together.forEach(bar => (bar.slots = ends.length));
    for (const bar of lane) {
      const run = this.runs[bar.run];
      if (ends.every(end => end - SAME_MOMENT <= run.from)) {
        close();
        together = [];
        ends = [];
      }
      const free = ends.findIndex(end => end - SAME_MOMENT <= run.from);
      bar.slot = free < 0 ? ends.length : free;
      ends[bar.slot] = run.to;
      together.push(bar);
    }
    close();
  }
}
