/** The models that pools load: how large they are, and on which nodes they lie ready. */
import {html} from "lit";
import {count, duration, memory} from "../../lib/format.js";
import {cli, curl} from "../../lib/commands.js";
import {nodeLink, poolLink} from "../../parts/chips.js";
import "../../parts/command-menu.js";

const MOST_NODES = 6;
const BYTES_PER_MB = 1_048_576;

/** @param {any[]} models @param {any[]} pools */
export function modelTable(models, pools) {
  return html`<section class="card pl-models"><header><h2>Models</h2><span class="muted">and the nodes that hold a copy</span><span class="spring"></span>
      <gs-commands label="Show models by command" .cli=${cli("models", "list")} .curl=${curl("GET", "models")}></gs-commands></header>
    <div class="scroll-x" tabindex="0" role="region" aria-label="Models, scrollable"><table class="plain">
      <thead><tr><th>Model</th><th class="right">Size</th><th class="right">Load time</th><th>Eviction</th><th>Pools</th><th>Cached on</th></tr></thead>
      <tbody>${models.map(model => html`<tr>
        <th scope="row" class="pl-name"><span class="pl-cut" title=${model.name}><bdi>${model.name}</bdi></span>
          ${model.uri ? html`<span class="tn-sub pl-cut" title=${model.uri}><bdi>${model.uri}</bdi></span>` : ""}</th>
        <td class="right tn-nowrap">${model.size_bytes ? memory(model.size_bytes / BYTES_PER_MB) : "–"}</td>
        <td class="right tn-nowrap">${model.load_seconds ? duration(model.load_seconds) : "–"}</td>
        <td class="tn-nowrap">${model.eviction}</td>
        <td>${listed(pools.filter(pool => pool.model === model.name).map(pool => poolLink(pool.name)), "none", "more")}</td>
        <td>${cached(model)}</td></tr>`)}</tbody></table></div></section>`;
}

function cached(model) {
  const nodes = model.status?.nodes ?? [];
  return listed(nodes.map(one => html`<span>${nodeLink(one.node_id)}${one.state === "cached" ? "" : html` <span class="muted">${one.state}</span>`}</span>`), "no node", "more nodes");
}

function listed(links, none, more) {
  if (links.length === 0) return html`<span class="muted">${none}</span>`;
  const rest = links.length - MOST_NODES;
  return html`<span class="pl-links">${links.slice(0, MOST_NODES)}${rest > 0 ? html`<span class="muted">and ${count(rest)} ${more}</span>` : ""}</span>`;
}
