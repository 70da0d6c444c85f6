/** What the page computes about tenants: the tree, what they owe and are owed, and use over time. */

/** @typedef {any} TenantRow a tenant of the API, with `share` from the fair-share report, `depth`, `hours`, `kwh`, `cost` and `owed` */

/** @typedef {{from: string, to: string, step_seconds: number, times: number[], tenants: Record<string, (number | null)[]>}} TenantHistory */

/**
 * The integral of a tenant's series in its unit times hours; null if nothing was recorded. The
 * first and the last step count only as far as they are within the window.
 *
 * @param {TenantHistory | null} history @param {string} tenant
 */
export function hoursOf(history, tenant) {
  const values = history?.tenants[tenant];
  if (!history || !values) return null;
  const from = Date.parse(history.from) / 1000;
  const to = Date.parse(history.to) / 1000;
  let sum = null;
  history.times.forEach((time, i) => {
    const value = values[i];
    if (value === null || value === undefined) return;
    const seconds = Math.min(time + history.step_seconds, to) - Math.max(time, from);
    sum = (sum ?? 0) + (value * Math.max(0, seconds)) / 3600;
  });
  return sum;
}

/** @param {number | null} dollars */
export function money(dollars) {
  if (dollars === null || dollars === undefined) return "–";
  return `$${dollars.toLocaleString("en", {minimumFractionDigits: 2, maximumFractionDigits: 2})}`;
}

/** Energy with a unit that suits its size. @param {number | null} kwh */
export function energy(kwh) {
  if (kwh === null || kwh === undefined) return "–";
  if (kwh > 0 && kwh < 1) return `${Math.round(kwh * 1000)} Wh`;
  return kwh < 10_000 ? `${kwh.toLocaleString("en", {maximumFractionDigits: 1})} kWh` : `${Math.round(kwh / 1000).toLocaleString("en")} MWh`;
}

/**
 * Joins tenants with their fair share and their use in a range.
 *
 * @param {any[]} tenants @param {any[]} shares
 * @param {TenantHistory | null} gpus @param {TenantHistory | null} power
 * @returns {TenantRow[]}
 */
export function joined(tenants, shares, gpus, power) {
  const byId = new Map(shares.map(share => [share.tenant_id, share]));
  return tenants.map(tenant => {
    const hours = hoursOf(gpus, tenant.id);
    const watts = hoursOf(power, tenant.id);
    return {
      ...tenant,
      share: byId.get(tenant.id) ?? null,
      owed: Math.max(0, tenant.guaranteed_gpus - tenant.current_gpus),
      hours,
      cost: hours === null ? null : hours * tenant.cost_per_gpu_hour,
      kwh: watts === null ? null : watts / 1000,
    };
  });
}

/** The ways to order siblings; larger values first, except for names. */
export const ORDERS = {
  name: {title: "name", value: row => row.id},
  gpus: {title: "GPUs in use", value: row => row.current_gpus},
  share: {title: "over its share", value: row => (row.share ? row.share.current_share - row.share.effective_share : 0)},
  owed: {title: "GPUs owed", value: row => row.owed},
  hours: {title: "GPU-hours", value: row => row.hours ?? 0},
  cost: {title: "cost", value: row => row.cost ?? 0},
  energy: {title: "energy", value: row => row.kwh ?? 0},
};

/**
 * Parents before their children, siblings in the given order.
 *
 * @param {TenantRow[]} rows @param {string} order a key of `ORDERS` @returns {TenantRow[]}
 */
export function inTree(rows, order) {
  const {value} = ORDERS[order] ?? ORDERS.name;
  const known = new Set(rows.map(row => row.id));
  const children = new Map();
  for (const row of rows) {
    // The parent of a member's own tenant is not in its list.
    const parent = known.has(row.parent_id) ? row.parent_id : "";
    children.set(parent, [...(children.get(parent) ?? []), row]);
  }
  const out = [];
  const visit = (parent, depth) => {
    const siblings = children.get(parent) ?? [];
    siblings.sort((a, b) => {
      const [left, right] = [value(a), value(b)];
      return typeof left === "string" ? left.localeCompare(right) : right - left || a.id.localeCompare(b.id);
    });
    for (const row of siblings) {
      out.push({...row, depth});
      visit(row.id, depth + 1);
    }
  };
  visit("", 0);
  return out;
}
