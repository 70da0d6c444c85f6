package io.gpusched.core.state;

import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Writes down what every tenant gets and why, each below the one it is part of.
final class ShareSheet {
    /// A share that nobody would notice.
    private static final double NOTHING = 1e-4;

    private final Shares shares;
    private final List<TenantId> inTurn;
    private final long at;
    private final Map<TenantId, List<Tenants.Entry>> below = new TreeMap<>();
    private final List<Tenants.Entry> roots = new ArrayList<>();
    private final List<TenantShare> rows = new ArrayList<>();

    private ShareSheet(Tenants tenants, Shares shares, List<TenantId> inTurn, long at) {
        this.shares = shares;
        this.inTurn = inTurn;
        this.at = at;
        for (Tenants.Entry entry : tenants.entries()) {
            Tenants.Entry parent = tenants.parent(entry);
            if (parent == null) {
                roots.add(entry);
            } else {
                below.computeIfAbsent(parent.tenant.id(), id -> new ArrayList<>()).add(entry);
            }
        }
    }

    static List<TenantShare> of(Tenants tenants, Shares shares, List<TenantId> inTurn, long at) {
        var sheet = new ShareSheet(tenants, shares, inTurn, at);
        sheet.write(sheet.roots, 0, new Due(1, 1));
        return sheet.rows;
    }

    /// Parts of the cluster that siblings share, by the weights as given and as adjusted.
    private record Due(double given, double adjusted) {}

    private void write(List<Tenants.Entry> siblings, int depth, Due all) {
        double weights = 0;
        double heldByAll = 0;
        for (Tenants.Entry entry : siblings) {
            weights += entry.tenant.weight();
            heldByAll += shares.latelyShare(entry, at);
        }
        double adjusted = 0;
        for (Tenants.Entry entry : siblings) {
            adjusted += entry.tenant.weight() * factor(entry, weights, heldByAll);
        }
        for (Tenants.Entry entry : siblings) {
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

    private double factor(Tenants.Entry entry, double weights, double heldByAll) {
        return shares.factor(entry, entry.tenant.weight() / weights, heldByAll, at);
    }

    /// @param dueLately what it would have held lately if all had held as their weights say
    private TenantShare row(
            Tenants.Entry entry, int depth, Due due, double factor, double dueLately) {
        Tenant tenant = entry.tenant;
        double lately = shares.latelyShare(entry, at);
        return new TenantShare(
                tenant,
                depth,
                tenant.weight() * factor,
                reason(factor, lately, dueLately),
                entry.usage,
                shares.shareNow(entry),
                lately,
                due.given,
                due.adjusted,
                status(entry, due.adjusted),
                inTurn.indexOf(tenant.id()) + 1);
    }

    private String reason(double factor, double lately, double due) {
        if (!shares.adjusts()) {
            return "as given";
        }
        if (due <= NOTHING) {
            return "as given: nobody held anything lately";
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

    private TenantShare.Status status(Tenants.Entry entry, double due) {
        long guaranteed = entry.tenant.guaranteed().milliGpus();
        if (Shares.isUnderGuarantee(entry)) {
            return TenantShare.Status.BELOW_GUARANTEE;
        }
        if (guaranteed > 0 && entry.usage.milliGpus() > guaranteed) {
            return TenantShare.Status.BORROWING;
        }
        double share = shares.share(entry, at);
        if (share < NOTHING) {
            return TenantShare.Status.IDLE;
        }
        return share > due ? TenantShare.Status.OVER : TenantShare.Status.UNDER;
    }
}
