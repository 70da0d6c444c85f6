package io.gpusched.server.view;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;
import io.gpusched.core.policy.gate.QuotaGate;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/// Why a job waits for quota, with the figures of now: it is not tried again when its tenant uses
/// more, or when another job is the first that needs the quota, so what its last turn found may be
/// old.
final class QuotaText {
    /// A fact of the last turn: whether another job still needs the quota first would take the
    /// whole queue to find out.
    private static final String BEHIND =
            "another job needed the quota first when this one was last tried";

    private QuotaText() {}

    static String now(Job job, View view) {
        TenantRow row = view.tenants().row(job.tenant());
        while (row != null) {
            Usage used = row.usage().plus(aboutToStart(row.tenant().id(), job, view));
            String shortage = QuotaGate.shortage(job.spec(), row.tenant(), used);
            if (shortage != null) {
                return shortage;
            }
            row = parent(row.tenant(), view);
        }
        return BEHIND;
    }

    /// What jobs for which others are being stopped will use under the tenant.
    private static Usage aboutToStart(TenantId above, Job but, View view) {
        Usage sum = Usage.NONE;
        for (Map.Entry<JobId, KeptCapacity> kept : view.kept().entrySet()) {
            Job holder = kept.getValue().isReservation() ? null : view.job(kept.getKey());
            if (holder != null && !holder.id().equals(but.id()) && isUnder(above, holder, view)) {
                sum = sum.plus(Usage.of(holder.spec()));
            }
        }
        return sum;
    }

    private static boolean isUnder(TenantId above, Job job, View view) {
        TenantRow row = view.tenants().row(job.tenant());
        while (row != null && !row.tenant().id().equals(above)) {
            row = parent(row.tenant(), view);
        }
        return row != null;
    }

    private static @Nullable TenantRow parent(Tenant tenant, View view) {
        TenantId parent = tenant.parent();
        return parent == null ? null : view.tenants().row(parent);
    }
}
