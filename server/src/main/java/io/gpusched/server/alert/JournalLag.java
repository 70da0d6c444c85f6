package io.gpusched.server.alert;

import io.gpusched.server.config.AlertName;

import java.time.Duration;
import java.util.List;

/// The store is slow or does not answer. Nothing is decided faster than it can be made durable, so
/// a slow store slows the whole scheduler.
final class JournalLag implements AlertCondition {
    /// A store that has not answered for this long is in trouble.
    static final double SILENCE_SECONDS = 10;

    private final double limit;

    /// @param limit mean time to make a batch durable
    JournalLag(Duration limit) {
        this.limit = limit.toMillis() / 1000.0;
    }

    @Override
    public AlertName name() {
        return AlertName.JOURNAL_LAG;
    }

    @Override
    public double threshold() {
        return limit;
    }

    @Override
    public List<Finding> evaluate(AlertPicture picture) {
        AlertPicture.Store store = picture.store();
        double append = picture.recent().appendSeconds();
        if (store.silenceSeconds() > SILENCE_SECONDS || !store.trouble().isEmpty()) {
            return List.of(silent(store));
        }
        return Double.isNaN(append) ? List.of() : List.of(slow(append));
    }

    private static Finding silent(AlertPicture.Store store) {
        return new Finding(
                AlertSubject.CLUSTER,
                Finding.Level.EXCEEDED,
                Severity.CRITICAL,
                store.silenceSeconds(),
                SILENCE_SECONDS,
                "the store has not confirmed anything for %s s; no decision can be made durable%s"
                        .formatted(
                                AlertText.number(store.silenceSeconds(), 1),
                                store.trouble().isEmpty() ? "" : ": " + store.trouble()),
                "check the disk or the database, its connection and free space; gpu-cli status"
                        + " shows when it works again");
    }

    private Finding slow(double append) {
        return new Finding(
                AlertSubject.CLUSTER,
                Finding.Level.above(append, limit),
                Severity.WARNING,
                append,
                limit,
                "a batch took %s ms to be durable, on average over 5 minutes; the limit is %s ms"
                        .formatted(
                                AlertText.number(append * 1000, 1),
                                AlertText.number(limit * 1000, 1)),
                "check the load and latency of the disk or the database; gpu-cli status shows"
                        + " whether jobs still start");
    }
}
