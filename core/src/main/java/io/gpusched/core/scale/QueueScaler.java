package io.gpusched.core.scale;

import io.gpusched.core.pool.LoadNow;
import io.gpusched.core.pool.QueueRule;

import java.time.Instant;

/// Scales by the messages of a queue. The lag, `depth - replicas · prefetch · throughput`, decides
/// whether the pool grows; by how much follows from `ceil((depth - replicas · prefetch) / (prefetch
/// · throughput))`. It shrinks by one when a smaller pool would have no lag even with 11 % more
/// messages, and to nothing when the queue was empty for the cool-down. Without that margin a depth
/// that is wrong by 5 % to either side would add and remove the same replica again and again.
final class QueueScaler implements Scaler {
    /// One part in nine more is a little more than 1.05 / 0.95.
    private static final long PARTS = 9;

    @Override
    public String name() {
        return "queue";
    }

    @Override
    public Recommendation recommend(PoolSignals signals) {
        QueueRule rule = signals.pool().scaling().queue();
        Instant oldest = signals.now().minus(signals.pool().scaling().staleAfter());
        LoadNow now = signals.load().since(oldest);
        int current = signals.desired();
        if (rule == null || now.sources() == 0) {
            return new Recommendation(
                    current,
                    "queue: nothing is known of the queue",
                    rule == null ? "the pool has no rule for a queue" : "no source reports");
        }
        long depth = now.queueDepth();
        long lag = depth - works(rule, current);
        if (lag > rule.maxLag()) {
            int more = more(rule, depth, current);
            return new Recommendation(
                    (int) Math.min(Integer.MAX_VALUE, (long) current + more),
                    "queue: the lag is too long",
                    Reason.text(
                            "%d messages are queued, %d beyond what %d replicas work off (allowed"
                                    + " %d); %d more",
                            depth, lag, current, rule.maxLag(), more));
        }
        if (depth == 0 && isIdle(signals)) {
            return new Recommendation(
                    0,
                    "queue: empty",
                    "no message for " + signals.pool().scaling().cooldown().toSeconds() + "s");
        }
        if (current > 1 && depth + Math.ceilDiv(depth, PARTS) <= works(rule, current - 1)) {
            return new Recommendation(
                    current - 1,
                    "queue: fewer replicas have no lag",
                    Reason.text(
                            "%d messages are queued, %d replicas work off %d",
                            depth, current - 1, works(rule, current - 1)));
        }
        return new Recommendation(
                depth > 0 ? Math.max(1, current) : current,
                "queue: the size is right",
                Reason.text(
                        "%d messages are queued, the lag is %d (allowed %d)",
                        depth, Math.max(0, lag), rule.maxLag()));
    }

    /// Messages that so many replicas work off per second.
    private static long works(QueueRule rule, int replicas) {
        return (long) replicas * rule.prefetch() * rule.milliThroughput() / 1000;
    }

    private static int more(QueueRule rule, long depth, int replicas) {
        long left = depth - (long) replicas * rule.prefetch();
        long each = rule.prefetch() * rule.milliThroughput();
        return Math.clamp(Math.ceilDiv(left * 1000, each), 1, Integer.MAX_VALUE);
    }

    private static boolean isIdle(PoolSignals signals) {
        Instant last = signals.load().lastRequest();
        return last == null
                || !signals.now().isBefore(last.plus(signals.pool().scaling().cooldown()));
    }
}
