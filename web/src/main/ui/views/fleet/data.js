/**
 * The picture of the fleet in memory: one typed array per figure with one entry per GPU, because
 * 80,000 objects would be too many for a page.
 */

/** States of a node; the picture holds the number of one. */
export const STATES = ["ready", "cordoned", "draining", "drained", "unreachable", "lost"];
export const FREE = -1;

const NATURAL = new Intl.Collator("en", {numeric: true});

export class Fleet {
  /**
   * @param {any} picture the answer of `GET /api/v1/fleet`
   * @param {Fleet | null} before the picture before, whose order holds while the nodes are the same
   */
  constructor(picture, before = null) {
    const nodes = picture.nodes;
    /** @type {string} */
    this.at = picture.at;
    /** @type {string[]} */
    this.tenants = picture.tenants;
    /** @type {string[]} */
    this.models = picture.models;
    /** @type {string[]} */
    this.ids = nodes.map(node => node.id);
    /** @type {string[]} names of the racks, sorted */
    this.racks = [...new Set(nodes.map(node => node.rack))].sort(NATURAL.compare);
    const rackNumbers = new Map(this.racks.map((rack, number) => [rack, number]));
    this.rack = Uint32Array.from(nodes, node => rackNumbers.get(node.rack) ?? 0);
    this.state = Uint8Array.from(nodes, node => Math.max(0, STATES.indexOf(node.state)));
    this.model = Int16Array.from(nodes, node => node.model);
    /** Why nodes are closed, by the number of the node. @type {Map<number, string>} */
    this.reasons = new Map();
    /** The first GPU of each node, and the number of all GPUs at the end. */
    this.first = new Uint32Array(nodes.length + 1);
    nodes.forEach((node, i) => {
      this.first[i + 1] = this.first[i] + node.tenant.length;
      if (node.closed_reason) this.reasons.set(i, node.closed_reason);
    });
    const gpus = this.gpus;
    this.tenant = new Int16Array(gpus);
    this.job = new Float64Array(gpus);
    this.util = new Int16Array(gpus);
    this.temp = new Int16Array(gpus);
    this.mem = new Int16Array(gpus);
    this.power = new Int16Array(gpus);
    this.health = new Uint8Array(gpus);
    this.part = new Uint8Array(gpus);
    nodes.forEach((node, i) => {
      const from = this.first[i];
      for (const figure of ["tenant", "job", "util", "temp", "mem", "power", "health", "part"]) {
        this[figure].set(node[figure], from);
      }
    });
    /** Nodes sorted by rack and name. */
    this.sorted = before && sameNodes(this, before) ? before.sorted : sort(this);
    /** @type {Uint32Array | null} */
    this.named = before?.sorted === this.sorted ? before.named : null;
  }

  /** Nodes sorted by name only. @returns {Uint32Array} */
  get byName() {
    this.named ??= this.sorted.slice().sort((a, b) => NATURAL.compare(this.ids[a], this.ids[b]));
    return this.named;
  }

  get nodes() {
    return this.ids.length;
  }

  get gpus() {
    return this.first[this.first.length - 1];
  }

  /** The node of a GPU. @param {number} gpu */
  nodeOf(gpu) {
    let low = 0;
    let high = this.nodes - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.first[middle] <= gpu) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The tenant that holds a GPU: its name, null if it is free, "" if the caller may not know. @param {number} gpu */
  tenantOf(gpu) {
    const number = this.tenant[gpu];
    return number === FREE ? null : number < 0 ? "" : this.tenants[number];
  }

  /** GPUs of a node that a job holds. @param {number} node */
  used(node) {
    let used = 0;
    for (let gpu = this.first[node]; gpu < this.first[node + 1]; gpu++) {
      if (this.tenant[gpu] !== FREE) used++;
    }
    return used;
  }

  /** The highest temperature on a node, or -1. @param {number} node */
  hottest(node) {
    let hottest = -1;
    for (let gpu = this.first[node]; gpu < this.first[node + 1]; gpu++) {
      hottest = Math.max(hottest, this.temp[gpu]);
    }
    return hottest;
  }

  /** The worst health on a node. @param {number} node */
  worst(node) {
    let worst = 0;
    for (let gpu = this.first[node]; gpu < this.first[node + 1]; gpu++) {
      worst = Math.max(worst, this.health[gpu]);
    }
    return worst;
  }
}

function sameNodes(one, other) {
  if (one.nodes !== other.nodes || one.racks.join("\n") !== other.racks.join("\n")) return false;
  for (let i = 0; i < one.ids.length; i++) {
    if (one.ids[i] !== other.ids[i] || one.rack[i] !== other.rack[i]) return false;
  }
  return true;
}

function sort(fleet) {
  const sorted = Uint32Array.from(fleet.ids, (_, i) => i);
  return sorted.sort((a, b) => fleet.rack[a] - fleet.rack[b] || NATURAL.compare(fleet.ids[a], fleet.ids[b]));
}
