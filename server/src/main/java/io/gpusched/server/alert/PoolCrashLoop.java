package io.gpusched.server.alert;

import io.gpusched.server.config.AlertName;
import io.gpusched.server.view.PoolRow;

import java.util.List;

/// Replicas of a pool end by themselves one after the other.
final class PoolCrashLoop implements AlertCondition {
    /// One replica may fail by chance.
    private static final int REPEATED = 2;

    @Override
    public AlertName name() {
        return AlertName.POOL_CRASH_LOOP;
    }

    @Override
    public double threshold() {
        return Double.NaN;
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        return picture.view().pools().rows().all().stream()
                .filter(row -> row.failures() >= REPEATED && row.isCrashing())
                .map(PoolCrashLoop::finding)
                .toList();
    }

    private static Finding finding(PoolRow row) {
        String pool = row.pool().id().name();
        return new Finding(
                AlertSubject.of(row.pool()),
                Finding.Level.EXCEEDED,
                row.counts().ready() == 0 ? Severity.CRITICAL : Severity.WARNING,
                row.failures(),
                REPEATED,
                "%d replicas of pool %s ended by themselves in a row, the last one: %s"
                                .formatted(row.failures(), pool, row.failure())
                        + (row.update().stopped()
                                ? "; its update has stopped with %d of %d replicas updated"
                                        .formatted(row.update().done(), row.desired())
                                : ""),
                "read the log of a replica: gpu-cli list --all, then gpu-cli logs JOB"
                        + (row.update().stopped()
                                ? "; or give the pool its earlier template again"
                                : ""));
    }
}
