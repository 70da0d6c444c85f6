/**
 * Where every GPU of the heat map is. A rack is a block of nodes below each other, as in a machine
 * room; a node is a row of cells. A rack with many nodes has several columns.
 */

/** Sizes of a cell, from the largest. */
export const SIZES = [38, 32, 26, 22, 18, 15, 12, 10, 8, 7, 6, 5, 4, 3, 2];
const WIDEST = 1.7;

/** @typedef {{x: number, y: number, columns: number, rows: number, block: number, height: number}} Place of a rack */

export class Layout {
  /**
   * @param {import("./selection.js").Selection} selection
   * @param {number} width @param {number} cell size of a cell
   * @param {number} tallest rows below each other before a rack gets another column
   * @param {number} longest width of the longest name of a node
   */
  constructor(selection, width, cell, tallest, longest) {
    this.selection = selection;
    this.width = width;
    this.cell = cell;
    this.gap = cell >= 15 ? 3 : cell >= 8 ? 2 : cell >= 4 ? 1 : 0;
    this.cellWidth = cell;
    this.nodeGap = cell >= 22 ? 7 : cell >= 10 ? 4 : cell >= 6 ? 2 : 1;
    this.rackGap = cell >= 10 ? 22 : cell >= 5 ? 10 : 6;
    this.head = cell >= 6 ? 20 : 14;
    /** Room for the names of nodes; none if they would not fit beside small cells. */
    this.names = cell >= 10 ? Math.min(longest, width < 500 ? 74 : 130) + 8 : 0;
    this.tallest = tallest;
    /** @type {Place[]} */
    this.places = [];
    this.tall = this.#flow();
    if (this.names > 0) this.#stretch();
  }

  get pitch() {
    return this.cell + this.nodeGap;
  }

  get step() {
    return this.cellWidth + this.gap;
  }

  #blockWidth(rack) {
    return this.names + rack.widest * this.step - this.gap;
  }

  /** Places the racks beside each other, in as many rows as they need. Returns the height of all. */
  #flow() {
    const {racks} = this.selection;
    const rowsAtMost = Math.max(4, Math.floor((this.tallest - this.head) / this.pitch));
    let x = 0;
    let y = 0;
    let rowHeight = 0;
    this.places = racks.map(rack => {
      const count = rack.to - rack.from;
      const block = this.#blockWidth(rack) + this.rackGap;
      const most = Math.max(1, Math.floor((this.width + this.rackGap) / block));
      const columns = racks.length === 1
        ? Math.min(most, Math.max(1, Math.ceil(count / 4)))
        : Math.min(most, Math.ceil(count / rowsAtMost));
      const rows = Math.ceil(count / columns);
      const height = this.head + rows * this.pitch;
      if (x > 0 && x + columns * block - this.rackGap > this.width) {
        x = 0;
        y += rowHeight + this.rackGap / 2;
        rowHeight = 0;
      }
      const place = {x, y, columns, rows, block, height};
      x += columns * block;
      rowHeight = Math.max(rowHeight, height);
      return place;
    });
    return y + rowHeight + 2;
  }

  /** Cells become wider, so that the fullest line of racks fills the width. */
  #stretch() {
    /** @type {Map<number, {used: number, cells: number}>} */
    const lines = new Map();
    this.places.forEach((place, i) => {
      const line = lines.get(place.y) ?? {used: 0, cells: 0};
      line.used = place.x + place.columns * place.block - this.rackGap;
      line.cells += this.selection.racks[i].widest * place.columns;
      lines.set(place.y, line);
    });
    const more = Math.min(...[...lines.values()].map(line => (this.width - line.used) / line.cells));
    if (more < 1) return;
    this.cellWidth = Math.floor(Math.min(this.cell * WIDEST, this.cell + more));
    this.tall = this.#flow();
  }

  /** Whether something would be wider than the drawing. */
  get tooWide() {
    return this.selection.racks.some(rack => this.#blockWidth(rack) > this.width);
  }

  /** Left upper corner of a node. @param {number} place of the node in the selection @returns {[number, number]} */
  corner(place) {
    const rack = this.rackAt(place);
    const {x, y, rows, block} = this.places[rack];
    const inRack = place - this.selection.racks[rack].from;
    return [x + Math.floor(inRack / rows) * block, y + this.head + (inRack % rows) * this.pitch];
  }

  /** The rack of a node. @param {number} place of the node in the selection */
  rackAt(place) {
    const {racks} = this.selection;
    let low = 0;
    let high = racks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (racks[middle].from <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** @param {number} gpu @returns {import("../../parts/scroll-canvas.js").Box | null} */
  boxOf(gpu) {
    const {fleet} = this.selection;
    if (gpu >= fleet.gpus) return null;
    const node = fleet.nodeOf(gpu);
    const place = this.selection.placeOf[node];
    if (place < 0) return null;
    const [x, y] = this.corner(place);
    const left = x + this.names + (gpu - fleet.first[node]) * this.step;
    return {x: left, y, width: this.cellWidth, height: this.cell};
  }

  /** The GPU at a point, or -1. @param {number} x @param {number} y */
  at(x, y) {
    const {fleet, racks, nodes} = this.selection;
    const rack = this.places.findIndex(place =>
      x >= place.x && x < place.x + place.columns * place.block && y >= place.y && y < place.y + place.height);
    if (rack < 0) return -1;
    const place = this.places[rack];
    const column = Math.floor((x - place.x) / place.block);
    const row = Math.floor((y - place.y - this.head) / this.pitch);
    const index = racks[rack].from + column * place.rows + row;
    const cell = Math.floor((x - place.x - column * place.block - this.names) / this.step);
    if (row < 0 || row >= place.rows || index >= racks[rack].to || cell < 0) return -1;
    const gpu = fleet.first[nodes[index]] + cell;
    return gpu < fleet.first[nodes[index] + 1] ? gpu : -1;
  }
}

/**
 * The layout with the largest cells that needs no scrolling, or a larger or smaller one.
 *
 * @param {import("./selection.js").Selection} selection @param {number} width @param {number} tallest
 * @param {number} longest @param {number} zoom steps from the size that fits
 */
export function fitting(selection, width, tallest, longest, zoom) {
  const make = index => new Layout(selection, width, SIZES[index], tallest, longest);
  let fit = SIZES.length - 1;
  for (let i = 0; i < SIZES.length; i++) {
    const tried = make(i);
    if (!tried.tooWide && tried.tall <= tallest) {
      fit = i;
      break;
    }
  }
  let index = Math.max(0, Math.min(SIZES.length - 1, fit - zoom));
  while (index < SIZES.length - 1 && make(index).tooWide) index++;
  return make(index);
}
