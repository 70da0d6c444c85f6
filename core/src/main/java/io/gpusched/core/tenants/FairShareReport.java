package io.gpusched.core.tenants;

import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Reports the share of every tenant and its reason, each tenant below its parent.
public final class FairShareReport {
    /// A share too small to count.
    private static final double NOTHING = 1e-4;

    private final ClusterShares clusterShares;
    private final List<TenantId> inTurn;
    private final long at;
    private final Map<TenantId, List<TenantLedger.Entry>> below = new TreeMap<>();
    private final List<TenantLedger.Entry> roots = new ArrayList<>();
    private final List<TenantShare> rows = new ArrayList<>();

    private FairShareReport(
            TenantLedger tenantLedger,
            ClusterShares clusterShares,
            List<TenantId> inTurn,
            long at) {
        this.clusterShares = clusterShares;
        this.inTurn = inTurn;
        this.at = at;
        for (TenantLedger.Entry entry : tenantLedger.entries()) {
            TenantLedger.Entry parent = tenantLedger.parent(entry);
            if (parent == null) {
                roots.add(entry);
            } else {
                below.computeIfAbsent(parent.tenant.id(), id -> new ArrayList<>()).add(entry);
            }
        }
    }

    public static List<TenantShare> of(
            TenantLedger tenantLedger,
            ClusterShares clusterShares,
            List<TenantId> inTurn,
            long at) {
        var sheet = new FairShareReport(tenantLedger, clusterShares, inTurn, at);
        sheet.write(sheet.roots, 0, new Due(1, 1));
        return sheet.rows;
    }

    /// A tenant's share of the cluster by weight, as given and as adjusted.
    private record Due(double given, double adjusted) {}

    private void write(List<TenantLedger.Entry> siblings, int depth, Due all) {
        double weights = 0;
        double heldByAll = 0;
        for (TenantLedger.Entry entry : siblings) {
            weights += entry.tenant.weight();
            heldByAll += clusterShares.latelyShare(entry, at);
        }
        double adjusted = 0;
        for (TenantLedger.Entry entry : siblings) {
            adjusted += entry.tenant.weight() * factor(entry, weights, heldByAll);
        }
        for (TenantLedger.Entry entry : siblings) {
            double weight = entry.tenant.weight();
            double factor = factor(entry, weights, heldByAll);
            var due =
                    new Due(
                            weight / weights * all.given,
                            weight * factor / adjusted * all.adjusted);
            rows.add(row(entry, depth, due, factor, weight / weights * heldByAll));
            write(below.getOrDefault(entry.tenant.id(), List.of()), depth + 1, due);
        }
    }

    private double factor(TenantLedger.Entry entry, double weights, double heldByAll) {
        return clusterShares.factor(entry, entry.tenant.weight() / weights, heldByAll, at);
    }

    /// @param dueLately its recent share if all tenants had used the cluster by their weights
    private TenantShare row(
            TenantLedger.Entry entry, int depth, Due due, double factor, double dueLately) {
        Tenant tenant = entry.tenant;
        double lately = clusterShares.latelyShare(entry, at);
        return new TenantShare(
                tenant,
                depth,
                tenant.weight() * factor,
                reason(factor, lately, dueLately),
                entry.usage,
                clusterShares.shareNow(entry),
                lately,
                due.given,
                due.adjusted,
                status(entry, due.adjusted),
                inTurn.indexOf(tenant.id()) + 1);
    }

    private String reason(double factor, double lately, double due) {
        if (!clusterShares.adjusts()) {
            return "as given";
        }
        if (due <= NOTHING) {
            return "as given: no tenant held anything lately";
        }
        return percent(lately / due)
                + " of its share lately, so "
                + rounded(factor)
                + " times its weight";
    }

    private static String percent(double part) {
        return part < 0.005 ? "held nothing" : "held " + Math.round(part * 100) + " %";
    }

    private static String rounded(double factor) {
        return String.format(Locale.ROOT, "%.2f", factor);
    }

    private TenantShare.Status status(TenantLedger.Entry entry, double due) {
        long guaranteed = entry.tenant.guaranteed().milliGpus();
        if (ClusterShares.isUnderGuarantee(entry)) {
            return TenantShare.Status.BELOW_GUARANTEE;
        }
        if (guaranteed > 0 && entry.usage.milliGpus() > guaranteed) {
            return TenantShare.Status.BORROWING;
        }
        double share = clusterShares.share(entry, at);
        if (share < NOTHING) {
            return TenantShare.Status.IDLE;
        }
        return share > due ? TenantShare.Status.OVER : TenantShare.Status.UNDER;
    }
}
