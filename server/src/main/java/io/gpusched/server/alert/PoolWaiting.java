package io.gpusched.server.alert;

import io.gpusched.core.model.Plurals;
import io.gpusched.server.config.AlertName;
import io.gpusched.server.view.PoolRow;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Replicas of a pool wait for GPUs, or were withdrawn because they found none.
final class PoolWaiting implements AlertCondition {
    @Override
    public AlertName name() {
        return AlertName.POOL_WAITING;
    }

    @Override
    public double threshold() {
        return Double.NaN;
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        return picture.view().pools().rows().all().stream()
                .filter(row -> row.waitingSince() != null || row.growAfter() != null)
                .map(row -> finding(row, picture.at()))
                .toList();
    }

    private static Finding finding(PoolRow row, Instant now) {
        String pool = row.pool().id().name();
        Instant since = row.waitingSince();
        Duration waited = since == null ? Duration.ZERO : Duration.between(since, now);
        return new Finding(
                AlertSubject.of(row.pool()),
                Finding.Level.EXCEEDED,
                row.counts().ready() == 0 ? Severity.CRITICAL : Severity.WARNING,
                waited.toSeconds(),
                0,
                since == null
                        ? "pool %s cannot grow: %s".formatted(pool, row.lapse())
                        : "%s of pool %s %s waited for GPUs for %s; %d are ready"
                                .formatted(
                                        Plurals.of(row.counts().waiting(), "replica"),
                                        pool,
                                        row.counts().waiting() == 1 ? "has" : "have",
                                        AlertText.time(waited),
                                        row.counts().ready()),
                "see what holds the GPUs: gpu-cli pool explain " + pool);
    }
}
