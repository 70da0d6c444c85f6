/** The nodes that the filters of the address leave, in racks, and what they add up to. */
import {FREE, STATES} from "./data.js";

/** @typedef {{rack: string | null, model: string, state: string, tenant: string, text: string}} Filter */
/** @typedef {{name: string, from: number, to: number, widest: number}} Rack `from` and `to`: places in `nodes` */

export class Selection {
  /** @param {import("./data.js").Fleet} fleet @param {Filter} filter */
  constructor(fleet, filter) {
    this.fleet = fleet;
    this.filter = filter;
    const tenant = filter.tenant ? fleet.tenants.indexOf(filter.tenant) : -1;
    const model = fleet.models.indexOf(filter.model);
    const rack = filter.rack === null ? -1 : fleet.racks.indexOf(filter.rack);
    const text = filter.text.toLowerCase();
    const shown = node =>
      (filter.rack === null || fleet.rack[node] === rack)
      && (!filter.model || fleet.model[node] === model)
      && (!filter.state || inState(fleet.state[node], filter.state))
      && (!text || fleet.ids[node].toLowerCase().includes(text))
      && (!filter.tenant || holds(fleet, node, tenant));
    /** Nodes in sight, sorted by rack and name. */
    this.nodes = fleet.sorted.filter(shown);
    /** Place of each node in `nodes`, or -1. */
    this.placeOf = new Int32Array(fleet.nodes).fill(-1);
    this.nodes.forEach((node, place) => (this.placeOf[node] = place));
    /** @type {Rack[]} */
    this.racks = [];
    this.#group();
  }

  #group() {
    const {fleet, nodes} = this;
    let rack = null;
    for (let place = 0; place < nodes.length; place++) {
      const node = nodes[place];
      if (!rack || fleet.rack[node] !== fleet.rack[nodes[rack.from]]) {
        rack = {name: fleet.racks[fleet.rack[node]], from: place, to: place, widest: 1};
        this.racks.push(rack);
      }
      rack.to = place + 1;
      rack.widest = Math.max(rack.widest, fleet.first[node + 1] - fleet.first[node]);
    }
  }

  /** Figures of the nodes in sight. */
  totals() {
    const {fleet, nodes} = this;
    const totals = {gpus: 0, used: 0, free: 0, closed: 0, hot: 0, unfit: 0, states: STATES.map(() => 0)};
    for (const node of nodes) {
      const ready = fleet.state[node] === 0;
      totals.states[fleet.state[node]]++;
      for (let gpu = fleet.first[node]; gpu < fleet.first[node + 1]; gpu++) {
        totals.gpus++;
        if (fleet.health[gpu] === 1) totals.hot++;
        if (fleet.health[gpu] === 2) totals.unfit++;
        if (fleet.tenant[gpu] !== FREE) totals.used++;
        else if (ready && fleet.health[gpu] === 0) totals.free++;
        else totals.closed++;
      }
    }
    return totals;
  }

  /** GPUs that each tenant holds, in the order of the picture's tenants; the last entry is for hidden tenants. */
  byTenant() {
    const counts = new Array(this.fleet.tenants.length + 1).fill(0);
    for (const node of this.nodes) {
      for (let gpu = this.fleet.first[node]; gpu < this.fleet.first[node + 1]; gpu++) {
        const tenant = this.fleet.tenant[gpu];
        if (tenant !== FREE) counts[tenant < 0 ? counts.length - 1 : tenant]++;
      }
    }
    return counts;
  }
}

/** `closed` stands for every state but ready. */
function inState(state, wanted) {
  return wanted === "closed" ? state !== 0 : STATES[state] === wanted;
}

function holds(fleet, node, tenant) {
  if (tenant < 0) return false;
  for (let gpu = fleet.first[node]; gpu < fleet.first[node + 1]; gpu++) {
    if (fleet.tenant[gpu] === tenant) return true;
  }
  return false;
}
