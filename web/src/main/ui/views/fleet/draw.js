/**
 * Draws the heat map. Cells are written as pixels into one image, which takes the same short time
 * for any number of colours; names and figures are drawn over it where there is room.
 */
import {readable, themeColour} from "../../lib/colours.js";
import {FREE} from "./data.js";
import {blend, figureOf, pixel} from "./modes.js";

const FIGURES_FROM = 26;
const MARKS_FROM = 12;
const RING_FROM = 7;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

export class Painter {
  /** @type {ImageData | null} */
  #image = null;
  #pixels = new Uint32Array(0);
  #clipped = new Map();

  /**
   * @param {import("../../parts/scroll-canvas.js").Sheet} sheet
   * @param {import("./layout.js").Layout} layout
   * @param {Uint32Array} colours one per GPU
   * @param {string} mode
   */
  draw(sheet, layout, colours, mode) {
    const theme = {
      ground: pixel(themeColour("--surface")), closed: pixel(themeColour("--warn")), away: pixel(themeColour("--bad")),
      text: themeColour("--text"), muted: themeColour("--muted"), bad: themeColour("--bad"), warn: themeColour("--warn"),
      surface: themeColour("--surface"),
    };
    this.#prepare(sheet.context);
    this.#pixels.fill(theme.ground);
    this.#eachNode(sheet, layout, (node, x, y) => this.#node(node, x, y, sheet, layout, colours, theme));
    sheet.context.putImageData(/** @type {ImageData} */ (this.#image), 0, 0);
    this.#rackNames(sheet, layout, theme);
    if (layout.names > 0) {
      this.#eachNode(sheet, layout, (node, x, y) => this.#details(node, x, y, sheet, layout, mode, theme, colours));
    }
  }

  #prepare(context) {
    const {width, height} = context.canvas;
    if (this.#image?.width !== width || this.#image?.height !== height) {
      this.#image = new ImageData(width, height);
      this.#pixels = new Uint32Array(this.#image.data.buffer);
    }
  }

  /** Calls `each` for the nodes in sight, with the left upper corner on the sheet. */
  #eachNode(sheet, layout, each) {
    const {racks, nodes} = layout.selection;
    for (let r = 0; r < racks.length; r++) {
      const place = layout.places[r];
      const top = place.y - sheet.top;
      if (top > sheet.height || top + place.height < 0) continue;
      for (let index = racks[r].from; index < racks[r].to; index++) {
        const inRack = index - racks[r].from;
        const y = top + layout.head + (inRack % place.rows) * layout.pitch;
        if (y > sheet.height || y + layout.cell < 0) continue;
        each(nodes[index], place.x + Math.floor(inRack / place.rows) * place.block, y);
      }
    }
  }

  #node(node, x, y, sheet, layout, colours, theme) {
    const {fleet} = layout.selection;
    const {ratio} = sheet;
    const state = fleet.state[node];
    const hatch = state === 0 ? 0 : state >= 4 ? theme.away : theme.closed;
    const top = Math.round(y * ratio);
    const height = Math.max(1, Math.round(layout.cell * ratio));
    const width = Math.max(1, Math.round(layout.cellWidth * ratio));
    const ring = layout.cell >= RING_FROM ? Math.max(1, Math.round(layout.cell * ratio / 12)) : 0;
    for (let gpu = fleet.first[node], i = 0; gpu < fleet.first[node + 1]; gpu++, i++) {
      const left = Math.round((x + layout.names + i * layout.step) * ratio);
      const colour = colours[gpu];
      const free = fleet.tenant[gpu] === FREE;
      const part = fleet.part[gpu];
      if (free) {
        this.#fill(left, top, width, height, blend(colour, theme.ground, ring ? 200 : 70));
        if (ring) this.#fill(left + ring, top + ring, width - 2 * ring, height - 2 * ring, blend(colour, theme.ground, 24));
      } else if (part < 100) {
        const above = Math.round(height * (100 - part) / 100);
        this.#fill(left, top, width, above, blend(colour, theme.ground, 80));
        this.#fill(left, top + above, width, height - above, colour);
      } else {
        this.#fill(left, top, width, height, colour);
      }
      if (hatch) this.#hatch(left, top, width, height, hatch, layout.cell >= RING_FROM ? Math.round(10 * ratio) : 2);
    }
  }

  #fill(left, top, width, height, colour) {
    const image = /** @type {ImageData} */ (this.#image);
    const right = Math.min(image.width, left + width);
    const bottom = Math.min(image.height, top + height);
    for (let y = Math.max(0, top); y < bottom; y++) {
      const row = y * image.width;
      for (let x = Math.max(0, left); x < right; x++) this.#pixels[row + x] = colour;
    }
  }

  /** Slanted lines over a cell: its node takes no new jobs. */
  #hatch(left, top, width, height, colour, period) {
    const image = /** @type {ImageData} */ (this.#image);
    const thick = Math.max(1, Math.round(period / 5));
    const right = Math.min(image.width, left + width);
    const bottom = Math.min(image.height, top + height);
    for (let y = Math.max(0, top); y < bottom; y++) {
      const row = y * image.width;
      for (let x = Math.max(0, left); x < right; x++) {
        if ((x + y) % period < thick) this.#pixels[row + x] = colour;
      }
    }
  }

  #rackNames(sheet, layout, theme) {
    const {context} = sheet;
    const {racks} = layout.selection;
    const named = racks.length > 1 || racks[0]?.name;
    if (!named) return;
    context.font = `600 ${layout.head >= 20 ? 12 : 10}px ${FONT}`;
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.fillStyle = theme.muted;
    const words = rackWords(context, layout);
    let line = -1;
    let end = 0;
    layout.places.forEach((place, r) => {
      if (place.y !== line) {
        line = place.y;
        end = -1;
      }
      const top = place.y - sheet.top;
      if (top > sheet.height || top + layout.head < 0) return;
      // A name may reach over racks whose own names are then left out.
      if (place.x < end) return;
      const room = Math.min(Math.max(46, place.columns * place.block - 4), sheet.width - place.x);
      const text = this.#clip(context, words(racks[r].name), room);
      context.fillText(text, place.x, top + layout.head / 2 - 1);
      end = place.x + context.measureText(text).width + 6;
    });
  }

  #details(node, x, y, sheet, layout, mode, theme, colours) {
    const {context} = sheet;
    const {fleet} = layout.selection;
    const middle = y + layout.cell / 2 + 0.5;
    const state = fleet.state[node];
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.font = `${layout.cell >= 15 ? 12 : 10}px ${FONT}`;
    context.fillStyle = state === 0 ? theme.text : state >= 4 ? theme.bad : theme.warn;
    context.fillText(this.#clip(context, fleet.ids[node], layout.names - 8), x, middle);
    for (let gpu = fleet.first[node], i = 0; gpu < fleet.first[node + 1]; gpu++, i++) {
      const left = x + layout.names + i * layout.step;
      if (layout.cell >= MARKS_FROM && fleet.health[gpu] > 0) corner(context, left + layout.cellWidth, y, layout.cell, theme);
      if (layout.cell < FIGURES_FROM) continue;
      const text = figureOf(fleet, mode, gpu);
      if (!text) continue;
      const filled = fleet.tenant[gpu] !== FREE && fleet.part[gpu] > 45;
      context.font = `600 11px ${FONT}`;
      context.textAlign = "center";
      if (state !== 0) backing(context, left + layout.cellWidth / 2, middle, filled ? css(colours[gpu]) : theme.surface);
      context.fillStyle = filled ? readable(css(colours[gpu])) : theme.text;
      context.fillText(text, left + layout.cellWidth / 2, middle, layout.cellWidth - 4);
      context.textAlign = "left";
    }
  }

  /** The text as far as it fits. */
  #clip(context, text, room) {
    const key = `${context.font}|${Math.round(room)}|${text}`;
    let fitting = this.#clipped.get(key);
    if (fitting === undefined) {
      fitting = text.slice(0, 60);
      while (fitting.length > 1 && context.measureText(fitting + (fitting === text ? "" : "…")).width > room) {
        fitting = fitting.slice(0, -1);
      }
      if (fitting !== text) fitting += "…";
      if (this.#clipped.size > 2_000) this.#clipped.clear();
      this.#clipped.set(key, fitting);
    }
    return fitting;
  }
}

/** How racks are called: as fully as there is room for the longest name, and all in the same way. */
function rackWords(context, layout) {
  const room = Math.min(...layout.places.map(place => place.columns * place.block)) - 4;
  const longest = layout.selection.racks.reduce((most, rack) => (rack.name.length > most.length ? rack.name : most), "no rack");
  const full = name => `rack ${name || "–"}`;
  const plain = name => name || "no rack";
  const last = name => plain(name.slice(name.lastIndexOf("/") + 1));
  return [full, plain].find(way => context.measureText(way(longest)).width <= room) ?? last;
}

/** A mark in the upper right corner of a cell: the GPU is hot or unfit. */
function corner(context, right, top, cell, theme) {
  const size = Math.max(5, cell / 3.4);
  context.beginPath();
  context.moveTo(right - size - 2, top);
  context.lineTo(right, top);
  context.lineTo(right, top + size + 2);
  context.closePath();
  context.fillStyle = theme.bad;
  context.fill();
  context.strokeStyle = theme.surface;
  context.lineWidth = 1;
  context.stroke();
}

/** Covers the hatching behind a figure. */
function backing(context, x, y, colour) {
  context.fillStyle = colour;
  context.fillRect(x - 13, y - 8, 26, 15);
}

function css(colour) {
  return `rgb(${colour & 255} ${(colour >> 8) & 255} ${(colour >> 16) & 255})`;
}

/** Width of the longest of these names, of which some hundred are looked at. @param {string[]} names */
export function longestName(names) {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return 80;
  context.font = `12px ${FONT}`;
  const every = Math.max(1, Math.floor(names.length / 200));
  let longest = 0;
  for (let i = 0; i < names.length; i += every) {
    longest = Math.max(longest, context.measureText(names[i].slice(0, 40)).width);
  }
  return Math.ceil(longest) + 4;
}
