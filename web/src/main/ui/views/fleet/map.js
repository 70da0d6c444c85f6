/** The heat map of every GPU: `<gs-fleet-map .selection=… mode="use" .zoom=${0}>`. */
import {html} from "lit";
import {ScrollCanvas} from "../../parts/scroll-canvas.js";
import {go} from "../../lib/router.js";
import {fitting} from "./layout.js";
import {longestName, Painter} from "./draw.js";
import {paint} from "./modes.js";
import {card, inWords} from "./card.js";

const KEYS = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], PageUp: [-10, 0], PageDown: [10, 0]};

class FleetMap extends ScrollCanvas {
  static properties = {selection: {attribute: false}, mode: {}, zoom: {type: Number}};
  static measure = "fleet-draw";

  constructor() {
    super();
    /** @type {import("./selection.js").Selection | null} */
    this.selection = null;
    this.mode = "use";
    this.zoom = 0;
    /** @type {import("./layout.js").Layout | null} */
    this.layout = null;
    this.painter = new Painter();
    this.colours = new Uint32Array(0);
    this.longest = 0;
    /** The figures, mode or theme have changed since the colours were computed. */
    this.stale = true;
  }

  willUpdate(changed) {
    if (!this.selection) return;
    if (changed.has("selection") || changed.has("mode")) this.stale = true;
    const sorted = this.selection.fleet.sorted;
    if (this.sorted !== sorted) {
      this.sorted = sorted;
      this.longest = longestName(this.selection.fleet.ids);
      this.chosen = -1;
    }
    if (this.width > 0 && (changed.has("selection") || changed.has("width") || changed.has("zoom"))) {
      this.layout = fitting(this.selection, this.width, this.tallest, this.longest, this.zoom);
    }
  }

  get tall() {
    return this.layout?.tall ?? this.tallest;
  }

  themeChanged() {
    this.stale = true;
    super.themeChanged();
  }

  draw(sheet) {
    if (!this.selection || !this.layout) return;
    if (this.stale) {
      this.stale = false;
      const {fleet, filter} = this.selection;
      if (this.colours.length !== fleet.gpus) this.colours = new Uint32Array(fleet.gpus);
      paint(fleet, this.mode, filter.tenant, this.colours);
    }
    this.painter.draw(sheet, this.layout, this.colours, this.mode);
  }

  at(x, y) {
    return this.layout?.at(x, y) ?? -1;
  }

  boxOf(gpu) {
    return this.layout?.boxOf(gpu) ?? null;
  }

  card(gpu) {
    return this.selection ? card(this.selection.fleet, gpu) : html``;
  }

  inWords(gpu) {
    return this.selection ? inWords(this.selection.fleet, gpu) : "";
  }

  open(gpu) {
    const fleet = this.selection?.fleet;
    if (fleet) go(["nodes", fleet.ids[fleet.nodeOf(gpu)]]);
  }

  /** Left and right go from GPU to GPU, up and down from node to node. */
  next(key) {
    const selection = this.selection;
    if (!selection || selection.nodes.length === 0) return -1;
    const {fleet, nodes, placeOf} = selection;
    if (key === "Home") return fleet.first[nodes[0]];
    if (key === "End") return fleet.first[nodes[nodes.length - 1]];
    const move = KEYS[key];
    if (!move) return -1;
    if (this.chosen < 0 || placeOf[fleet.nodeOf(this.chosen)] < 0) return fleet.first[nodes[0]];
    const node = fleet.nodeOf(this.chosen);
    const gpu = this.chosen - fleet.first[node] + move[1];
    let place = placeOf[node] + move[0];
    if (gpu < 0) place--;
    const ended = gpu >= fleet.first[node + 1] - fleet.first[node];
    if (ended && move[1] > 0) place++;
    place = Math.max(0, Math.min(nodes.length - 1, place));
    const to = nodes[place];
    const count = fleet.first[to + 1] - fleet.first[to];
    const index = gpu < 0 ? count - 1 : ended && move[1] > 0 ? 0 : Math.min(gpu, count - 1);
    return fleet.first[to] + Math.max(0, index);
  }
}

customElements.define("gs-fleet-map", FleetMap);
