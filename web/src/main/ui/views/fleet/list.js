/** The nodes of the heat map as a table: the same facts for the keyboard and for screen readers. */
import {html} from "lit";
import {styled} from "../../lib/styled.js";
import {link, setQuery} from "../../lib/router.js";
import {HEALTH} from "../../lib/colours.js";
import {meter} from "../../parts/meter.js";
import {nodeLink, stateChip} from "../../parts/chips.js";
import {count, NONE} from "../../lib/format.js";
import {STATES} from "./data.js";
import "../../parts/table.js";

const free = (fleet, node) => fleet.first[node + 1] - fleet.first[node] - fleet.used(node);

/** Orders of the list; equal nodes stay sorted by rack and name. */
const SORTS = {
  name: {title: "rack and name", order: () => 0},
  state: {title: "state, not ready first", order: (fleet, a, b) => fleet.state[b] - fleet.state[a]},
  free: {title: "free GPUs", order: (fleet, a, b) => free(fleet, b) - free(fleet, a)},
  heat: {title: "temperature", order: (fleet, a, b) => fleet.hottest(b) - fleet.hottest(a)},
  health: {title: "health, worst first", order: (fleet, a, b) => fleet.worst(b) - fleet.worst(a)},
};

/** @type {{selection: object | null, sort: string, rows: number[]}} the last list, because sorting 10,000 nodes takes time */
let last = {selection: null, sort: "", rows: []};

function rowsOf(selection, sort) {
  if (last.selection !== selection || last.sort !== sort) {
    const rows = [...selection.nodes];
    const {fleet} = selection;
    if (sort !== "name") rows.sort((a, b) => SORTS[sort].order(fleet, a, b));
    last = {selection, sort, rows};
  }
  return last.rows;
}

/** @param {import("./selection.js").Selection} selection @param {string} wanted order */
export function nodeList(selection, wanted) {
  const sort = wanted in SORTS ? wanted : "state";
  const {fleet} = selection;
  const racks = fleet.racks.some(Boolean);
  const columns = [
    {name: "Node", width: "minmax(90px, 1.4fr)", narrow: true, cell: node => nodeLink(fleet.ids[node])},
    ...(racks ? [{name: "Rack", width: "minmax(60px, 1fr)", cell: node => html`<bdi>${fleet.racks[fleet.rack[node]] || NONE}</bdi>`}] : []),
    {name: "State", width: "minmax(96px, 1fr)", narrow: true, cell: node => stateOf(fleet, node)},
    {name: "Model", width: "minmax(90px, 1fr)", cell: node => fleet.models[fleet.model[node]] ?? NONE},
    {name: "GPUs in use", width: "minmax(90px, 1fr)", narrow: true, cell: node => use(fleet, node)},
    {name: "Hottest", width: "80px", align: "right", cell: node => (fleet.hottest(node) < 0 ? NONE : `${fleet.hottest(node)} °C`)},
    {name: "Why closed", width: "minmax(80px, 1.6fr)", cell: node => html`<bdi class="muted">${fleet.reasons.get(node) ?? ""}</bdi>`},
  ];
  return html`<section class="card flush fleet-list" aria-label="Nodes" ${styled({"--rows": Math.max(2, selection.nodes.length)})}>
    <header><h2>${count(selection.nodes.length)} ${selection.nodes.length === 1 ? "node" : "nodes"}</h2><span class="spring"></span>
      <label class="filters">Sort by
        <select @change=${event => setQuery({sort: event.target.value})}>${Object.entries(SORTS).map(([name, one]) => html`
          <option value=${name} ?selected=${name === sort}>${one.title}</option>`)}</select></label></header>
    <gs-table label="Nodes" .columns=${columns} .rows=${rowsOf(selection, sort)}
      .href=${node => link(["nodes", fleet.ids[node]])}></gs-table>
  </section>`;
}

function stateOf(fleet, node) {
  const worst = fleet.worst(node);
  return html`${stateChip(STATES[fleet.state[node]])} ${worst ? stateChip(HEALTH[worst].name) : ""}`;
}

function use(fleet, node) {
  const used = fleet.used(node);
  const all = fleet.first[node + 1] - fleet.first[node];
  return html`<span class="fleet-use"><span>${used} / ${all}</span>${meter(`GPUs in use on ${fleet.ids[node]}`, used, all)}</span>`;
}
