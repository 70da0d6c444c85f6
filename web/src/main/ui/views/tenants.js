/** Tenants: all of them with quota, use and fair share, or one in detail. */
import {html} from "lit";
import {View} from "../lib/view.js";
import {get} from "../lib/api.js";
import {withFigures} from "../lib/history.js";
import {session} from "../lib/session.js";
import {assignColours} from "../lib/colours.js";
import {chosenRange, windowOf} from "../lib/ranges.js";
import {joined} from "../lib/tenants.js";
import {tenantList} from "./tenants/list.js";
import {tenantPage} from "./tenants/page.js";

const SERIES = "gpus_used,waiting,running,share,power_watts";

class Tenants extends View {
  static every = 15_000;
  static least = 3_000;

  /** The tenant that is shown; empty for all. */
  get tenantId() {
    return this.route.path[1] ?? "";
  }

  get range() {
    return chosenRange("6h");
  }

  concerns(event) {
    return !this.tenantId || !event.tenant_id || event.tenant_id === this.tenantId;
  }

  async load(signal) {
    const window = windowOf(this.range);
    // Without history the view shows the present.
    const past = series => get("history/tenants", {series, ...window}, signal).catch(() => null);
    const [tenants, shares, gpus, power] = await Promise.all([
      get("tenants", {}, signal), get("fairshare", {}, signal), past("gpus_used"), past("power_watts"),
    ]);
    assignColours(tenants.tenants.map(tenant => tenant.id));
    const rows = joined(tenants.tenants, shares.tenants, gpus, power);
    const held = gpus && withFigures(firstOf(gpus.tenants), gpus);
    const data = {rows, fairShare: shares, gpus: held, one: null};
    return this.tenantId ? {...data, one: await this.#one(signal, window)} : data;
  }

  async #one(signal, window) {
    const tenant_id = this.tenantId;
    const [history, running, waiting, tokens] = await Promise.all([
      get("history", {series: SERIES, tenant: tenant_id, ...window}, signal).catch(() => null),
      get("jobs", {tenant_id, state: "scheduled,running", limit: 10}, signal),
      get("jobs", {tenant_id, state: "pending", limit: 10}, signal),
      session.isAdmin ? get(`tenants/${encodeURIComponent(tenant_id)}/tokens`, {}, signal).catch(() => null) : null,
    ]);
    const since = history && withFigures(history.series.share, history);
    return {history: since, running, waiting, tokens: tokens?.tokens ?? null};
  }

  show() {
    return this.tenantId ? tenantPage(this) : tenantList(this);
  }
}

/** One value per point: a figure if any tenant has one. @param {Record<string, (number | null)[]>} tenants */
function firstOf(tenants) {
  const all = Object.values(tenants);
  return (all[0] ?? []).map((_, i) => all.map(values => values[i]).find(value => value !== null) ?? null);
}

customElements.define("gs-tenants", Tenants);
