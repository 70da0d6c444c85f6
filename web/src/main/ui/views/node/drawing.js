/**
 * A drawing of a node: GPUs in their NUMA nodes, the NVLinks between them, and what each does:
 * `<gs-node-drawing .gpus=${node.gpus} .jobs=${jobs by id}>`.
 */
import {LitElement, html, svg} from "lit";
import {styled} from "../../lib/styled.js";
import {tenantColour} from "../../lib/colours.js";
import {RAIL, islands, place} from "./layout.js";
import {tile} from "./tile.js";

class NodeDrawing extends LitElement {
  static properties = {gpus: {attribute: false}, jobs: {attribute: false}, width: {state: true}, over: {state: true}};

  constructor() {
    super();
    /** @type {any[]} */
    this.gpus = [];
    /** @type {Map<string, any>} */
    this.jobs = new Map();
    this.width = 0;
    /** The GPU under the pointer or with the focus, or -1. */
    this.over = -1;
  }

  #observer = new ResizeObserver(entries => (this.width = Math.floor(entries[0].contentRect.width)));

  createRenderRoot() {
    return this;
  }

  firstUpdated() {
    const box = this.querySelector(".node-drawing");
    if (box) this.#observer.observe(box);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  render() {
    // Nothing is placed before the width is known.
    const gpus = this.width > 0 ? this.gpus : [];
    const found = islands(gpus);
    const placed = placeFor(found, gpus, this.width);
    return html`<div class="node-drawing" ${styled({height: `${placed.height}px`})}>
        <svg width=${this.width} height=${placed.height} aria-hidden="true">
          ${placed.boxes.map(box => svg`<rect class="node-numa" x=${box.x + 0.5} y=${box.y + 0.5} width=${box.width - 1} height=${box.height - 1} rx="10"></rect>
            <text class="node-title" x=${box.x + 12} y=${box.y + 18}>${box.title}</text>`)}
          ${found.map((island, i) => (island.mesh ? this.#rail(island, placed, i) : this.#pairs(island, placed)))}
        </svg>
        ${gpus.map(gpu => this.#tile(gpu, placed.tiles.get(gpu.index)))}
      </div>
      <p class="muted node-note">${linkWords(islands(this.gpus), this.gpus)}</p>`;
  }

  #tile(gpu, box) {
    const links = this.over >= 0 && this.over !== gpu.index ? gpu.nvlinks?.[this.over] ?? 0 : 0;
    const tenant = this.jobs.get(gpu.holders[0]?.job_id ?? "")?.tenant_id;
    return html`<article class="node-gpu ${gpu.holders.length ? "held" : ""} ${links ? "near" : ""} ${gpu.health === "unhealthy" ? "unfit" : ""}"
        aria-label="GPU ${gpu.index}" @pointerenter=${() => (this.over = gpu.index)} @pointerleave=${() => (this.over = -1)}
        @focusin=${() => (this.over = gpu.index)} @focusout=${() => (this.over = -1)}
        ${styled({left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px`,
          "--colour": gpu.holders.length ? tenantColour(tenant) : "var(--line)"})}>
      ${tile(gpu, this.jobs, links ? `${links} links` : "")}</article>`;
  }

  /** One line for GPUs that are all linked to each other, as behind a switch. */
  #rail(island, placed, number) {
    /** @type {Map<number, number[]>} */
    const rows = new Map();
    for (const gpu of island.members) {
      const box = placed.tiles.get(gpu.index);
      const y = box.y + box.height;
      rows.set(y, [...(rows.get(y) ?? []), box.x + box.width / 2]);
    }
    const down = 12 + (number % 2) * 6;
    const left = 6 + (number % 3) * 5;
    const several = rows.size > 1;
    const lines = [...rows].map(([y, middles]) => svg`
      <path class="node-link" d="M ${several ? left : Math.min(...middles)} ${y + down} H ${Math.max(...middles)}"></path>
      ${middles.map(x => svg`<path class="node-link" d="M ${x} ${y} V ${y + down}"></path>`)}`);
    const heights = [...rows.keys()];
    const joint = several
      ? svg`<path class="node-link" d="M ${left} ${Math.min(...heights) + down} V ${Math.max(...heights) + down}"></path>` : "";
    return svg`${lines}${joint}`;
  }

  /** A curve for each pair that is linked. */
  #pairs(island, placed) {
    const curves = [];
    for (const one of island.members) {
      for (const other of island.members) {
        const links = one.nvlinks?.[other.index] ?? 0;
        if (other.index <= one.index || links === 0) continue;
        const [a, b] = [placed.tiles.get(one.index), placed.tiles.get(other.index)];
        const [ax, ay, bx, by] = [a.x + a.width / 2, a.y + a.height, b.x + b.width / 2, b.y + b.height];
        const near = one.index === this.over || other.index === this.over;
        curves.push(svg`<path class="node-link ${near ? "near" : ""}" ${styled({"--width": `${Math.min(5, 1 + links / 2)}px`})}
          d="M ${ax} ${ay} C ${ax} ${ay + RAIL}, ${bx} ${by + RAIL}, ${bx} ${by}"></path>`);
      }
    }
    return curves;
  }
}

/** Leaves room at the left only if an island reaches over several rows. */
function placeFor(found, gpus, width) {
  const placed = place(gpus, width, false);
  const tall = found.some(island => island.mesh && new Set(island.members.map(gpu => placed.tiles.get(gpu.index)?.y)).size > 1);
  return tall ? place(gpus, width, true) : placed;
}

function linkWords(found, gpus) {
  if (found.length === 0) {
    const known = gpus.some(gpu => gpu.nvlinks);
    return known ? "No NVLinks: these GPUs reach each other over PCIe." : "The agent has not reported how these GPUs are connected.";
  }
  return found.map(island => {
    const members = island.members.map(gpu => gpu.index).join(", ");
    return `NVLink island ${island.number}: GPUs ${members}, ${island.mesh ? "each linked to each other" : "linked in pairs as drawn"}, `
      + `${island.links} ${island.links === 1 ? "link" : "links"} per pair${island.mesh ? "" : " at most"}`;
  }).join(". ") + ".";
}

customElements.define("gs-node-drawing", NodeDrawing);
