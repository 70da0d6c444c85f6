package io.gpusched.server.alert;

import io.gpusched.core.model.Plurals;
import io.gpusched.server.config.AlertName;
import io.gpusched.server.view.PoolRow;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Replicas of a pool serve, but nobody reports their load, so the pool keeps its size.
final class PoolLoadStale implements AlertCondition {
    @Override
    public AlertName name() {
        return AlertName.POOL_LOAD_STALE;
    }

    @Override
    public double threshold() {
        return Double.NaN;
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        return picture.view().pools().rows().all().stream()
                .filter(row -> row.isStale(picture.at()))
                .map(row -> finding(row, picture.at()))
                .toList();
    }

    private static Finding finding(PoolRow row, Instant now) {
        String pool = row.pool().id().name();
        String replicas = Plurals.of(row.desired(), "replica");
        Instant newest = row.figures().newest();
        Duration silent = newest == null ? Duration.ZERO : Duration.between(newest, now);
        return new Finding(
                AlertSubject.of(row.pool()),
                Finding.Level.EXCEEDED,
                Severity.WARNING,
                silent.toSeconds(),
                row.pool().scaling().staleAfter().toSeconds(),
                newest == null
                        ? "no load of pool %s was ever reported; it keeps %s"
                                .formatted(pool, replicas)
                        : "no load of pool %s was reported for %s; it keeps %s"
                                .formatted(pool, AlertText.time(silent), replicas),
                "check that a gateway serves the pool and can reach the scheduler");
    }
}
