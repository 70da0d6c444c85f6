package io.gpusched.server.alert;

import io.gpusched.core.model.Plurals;
import io.gpusched.server.config.AlertName;

import java.util.List;

/// Too many runs are preempted: a large share of the work that is placed is stopped again.
final class PreemptionRate implements AlertCondition {
    private final double limit;
    private final long least;

    /// @param least fewer preemptions in an hour are never too many
    PreemptionRate(double limit, long least) {
        this.limit = limit;
        this.least = least;
    }

    @Override
    public AlertName name() {
        return AlertName.PREEMPTION_RATE;
    }

    @Override
    public double threshold() {
        return limit;
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        RecentActivity.Figures recent = picture.recent();
        if (recent.preempted() < least) {
            return List.of();
        }
        double share = recent.preempted() / (double) Math.max(1, recent.placed());
        return List.of(
                new Finding(
                        AlertSubject.CLUSTER,
                        Finding.Level.above(share, limit),
                        Severity.WARNING,
                        share,
                        limit,
                        "%s preempted in the last hour, %s of the runs placed in it; the limit is %s"
                                .formatted(
                                        Plurals.of(recent.preempted(), "run"),
                                        AlertText.percent(share),
                                        AlertText.percent(limit)),
                        "see which tenants are over their share: gpu-cli fairshare; give tenants"
                                + " guarantees, or lower the priorities that users may request"));
    }
}
