package io.gpusched.core.scale;

import io.gpusched.core.pool.MetricTarget;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Keeps metrics at their targets, as the Kubernetes autoscaler does: each metric recommends the
/// size at which it would meet its target, and the largest recommendation counts.
///
/// Metrics that replicas share (tokens in the queue, sessions, requests in flight, rates) are
/// compared per replica. Replicas that are not ready yet count as replicas without load when the
/// size would grow, so a pool that is growing does not grow twice. A metric without a value
/// recommends nothing, and while one is missing the pool does not shrink. A metric of requests is
/// not missing while there are none; where no other has a value, nothing is needed.
final class TargetsScaler implements Scaler {
    /// A metric within this fraction of its target changes nothing.
    private static final double TOLERANCE = 0.1;

    @Override
    public String name() {
        return "targets";
    }

    @Override
    public Recommendation recommend(PoolSignals signals) {
        int current = signals.desired();
        var readings = new Readings(signals);
        var missing = new ArrayList<String>();
        var idle = new ArrayList<String>();
        int most = -1;
        String why = "";
        for (MetricTarget target : signals.pool().scaling().targets()) {
            long milli = readings.milli(target);
            if (milli < 0) {
                (readings.isWithoutRequests(target) ? idle : missing).add(name(target));
                continue;
            }
            int size = size(signals, target, milli);
            if (size > most) {
                most = size;
                why = reason(signals, target, milli, size);
            }
        }
        if (most < 0 && missing.isEmpty() && !idle.isEmpty()) {
            return new Recommendation(
                    0, "targets: idle", "no request, so no value of " + list(idle));
        }
        if (most < 0) {
            return new Recommendation(
                    current, "targets: no metric has a value", "missing: " + list(missing));
        }
        if (!missing.isEmpty() && most < current) {
            return new Recommendation(
                    current,
                    "targets: a metric is missing, so the pool does not shrink",
                    why + "; missing: " + list(missing));
        }
        return new Recommendation(most, "targets", why);
    }

    private static int size(PoolSignals signals, MetricTarget target, long milli) {
        int all = signals.ready() + signals.starting() + signals.waiting();
        boolean shared = Readings.isShared(target.metric());
        if (signals.ready() == 0) {
            return shared ? Math.max(signals.desired(), ceil(milli, target.targetMilli())) : all;
        }
        double perReplica = shared ? (double) milli / signals.ready() : milli;
        double ratio = perReplica / target.targetMilli();
        if (isNear(ratio)) {
            return signals.desired();
        }
        if (ratio < 1) {
            return (int) Math.ceil(ratio * signals.ready());
        }
        double spread = ratio * signals.ready() / all;
        return spread <= 1 || isNear(spread)
                ? signals.desired()
                : (int) Math.min(Integer.MAX_VALUE, Math.ceil(spread * all));
    }

    private static boolean isNear(double ratio) {
        return ratio >= 1 - TOLERANCE && ratio <= 1 + TOLERANCE;
    }

    private static int ceil(long amount, long part) {
        return (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(amount, part));
    }

    private static String reason(
            PoolSignals signals, MetricTarget target, long milli, int replicas) {
        boolean shared = Readings.isShared(target.metric());
        return Reason.text(
                "%s is %.1f%s, the target is %.1f%s: %d replicas for %d that are ready",
                name(target),
                milli / 1000.0,
                shared ? " in all" : "",
                target.targetMilli() / 1000.0,
                shared ? " per replica" : "",
                replicas,
                signals.ready());
    }

    private static String name(MetricTarget target) {
        return target.metric().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String list(List<String> names) {
        return names.isEmpty() ? "no targets are given" : String.join(", ", names);
    }
}
