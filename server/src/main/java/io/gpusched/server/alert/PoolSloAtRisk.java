package io.gpusched.server.alert;

import io.gpusched.server.config.AlertName;
import io.gpusched.server.view.PoolRow;

import java.time.Instant;
import java.util.List;

/// Fewer requests of a pool than promised meet its objectives, although reports are fresh.
final class PoolSloAtRisk implements AlertCondition {
    @Override
    public AlertName name() {
        return AlertName.POOL_SLO_AT_RISK;
    }

    @Override
    public double threshold() {
        return Double.NaN;
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        return picture.view().pools().rows().all().stream()
                .filter(row -> !row.pool().slo().isNone() && !row.removed())
                .filter(row -> !Double.isNaN(row.figuresAt(picture.at()).sloPercent()))
                .map(row -> finding(row, picture.at()))
                .toList();
    }

    private static Finding finding(PoolRow row, Instant now) {
        String pool = row.pool().id().name();
        double within = row.figuresAt(now).sloPercent() / 100;
        double promised = row.pool().slo().permille() / 1000.0;
        return new Finding(
                AlertSubject.of(row.pool()),
                within < promised ? Finding.Level.EXCEEDED : Finding.Level.CLEAR,
                Severity.WARNING,
                within,
                promised,
                "%s of the requests to pool %s meet its objectives, %s are promised; %d of %d replicas are ready"
                        .formatted(
                                AlertText.percent(within),
                                pool,
                                AlertText.percent(promised),
                                row.counts().ready(),
                                row.desired()),
                "see what limits its size: gpu-cli pool explain " + pool);
    }
}
