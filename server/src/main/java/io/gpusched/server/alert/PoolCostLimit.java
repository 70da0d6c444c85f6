package io.gpusched.server.alert;

import io.gpusched.core.state.SizeDecision;
import io.gpusched.server.config.AlertName;
import io.gpusched.server.view.PoolRow;

import java.util.List;

/// A pool costs what it may at most, so it cannot grow.
final class PoolCostLimit implements AlertCondition {
    /// One replica more would exceed the limit.
    private static final double NEARLY = 0.9;

    @Override
    public AlertName name() {
        return AlertName.POOL_COST_LIMIT;
    }

    @Override
    public double threshold() {
        return Double.NaN;
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        return picture.view().pools().rows().all().stream()
                .filter(row -> row.pool().cost().maxMicroDollarsPerHour() > 0)
                .map(PoolCostLimit::finding)
                .toList();
    }

    private static Finding finding(PoolRow row) {
        String pool = row.pool().id().name();
        double limit = row.pool().cost().maxMicroDollarsPerHour() / 1e6;
        SizeDecision decided = row.recommended();
        boolean limited = decided != null && decided.to() < decided.from();
        return new Finding(
                AlertSubject.of(row.pool()),
                row.costPerHour() > limit || limited && row.costPerHour() > NEARLY * limit
                        ? Finding.Level.EXCEEDED
                        : Finding.Level.CLEAR,
                Severity.WARNING,
                row.costPerHour(),
                limit,
                "pool %s costs $%s an hour, at most $%s are allowed"
                        .formatted(
                                pool,
                                AlertText.number(row.costPerHour(), 2),
                                AlertText.number(limit, 2)),
                "raise cost.max_cost_per_hour, or see what it needs: gpu-cli pool explain " + pool);
    }
}
