package io.gpusched.gateway.measure;

import java.util.Map;
import java.util.TreeMap;

/// The counters of one pool, from the start of the gateway on.
public final class PoolMeter {
    private final TreeMap<Integer, Long> answersByStatus = new TreeMap<>();
    private final TreeMap<String, Long> rejectsByReason = new TreeMap<>();
    private final FixedHistogram firstTokenMillis =
            new FixedHistogram(
                    1, 5, 10, 20, 40, 60, 80, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500,
                    10_000, 20_000, 40_000, 80_000, 160_000);
    private final FixedHistogram latencyMillis =
            new FixedHistogram(
                    10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000,
                    300_000);
    private final FixedHistogram interTokenMillis =
            new FixedHistogram(
                    1, 2.5, 5, 10, 15, 20, 30, 40, 50, 75, 100, 150, 200, 300, 500, 1_000);
    private final TimeBuckets recentFirstTokens = new TimeBuckets();
    private final RecentRate outputTokens = new RecentRate();

    private LoadCounters counters = LoadCounters.ZERO;
    private LoadCounters acknowledged = LoadCounters.ZERO;
    private long retries;
    private long disconnects;
    private long broken;

    public void arrived(long promptTokens) {
        counters = counters.plus(LoadCounters.arrival(promptTokens));
    }

    /// @param reason a word for the label of the metric
    public void rejected(String reason) {
        counters = counters.plus(LoadCounters.REJECTION);
        rejectsByReason.merge(reason, 1L, Long::sum);
    }

    public void retried() {
        retries++;
    }

    /// The client went away before its answer was complete.
    public void disconnected() {
        disconnects++;
    }

    /// The replica failed within its answer.
    public void broke() {
        broken++;
        missed();
    }

    /// A request got an error instead of an answer that could meet objectives.
    public void missed() {
        counters = counters.plus(LoadCounters.answer(false));
    }

    /// A replica generated this, whether or not its answer became complete.
    public void generated(AnswerMeter meter, long now) {
        outputTokens.add(now, meter.outputTokens());
        counters = counters.plus(LoadCounters.generated(meter));
    }

    /// The gateway or a replica answered with this status.
    public void answeredWith(int status) {
        answersByStatus.merge(status, 1L, Long::sum);
    }

    /// An answer is complete.
    ///
    /// @param firstTokenNanos from the arrival of the request; 0 for a plain answer
    public void answered(AnswerMeter meter, long firstTokenNanos, long totalNanos, boolean met) {
        counters = counters.plus(LoadCounters.answer(met));
        latencyMillis.add(totalNanos / 1e6);
        if (firstTokenNanos > 0) {
            firstTokenMillis.add(firstTokenNanos / 1e6);
            recentFirstTokens.add(firstTokenNanos);
        }
        if (meter.interTokenNanos() > 0) {
            interTokenMillis.add(meter.interTokenNanos() / 1e6);
        }
    }

    /// Tokens that replicas generated per second in the last minute.
    public double outputTokensPerSecond(long now) {
        return outputTokens.perSecond(now);
    }

    public LoadCounters counters() {
        return counters;
    }

    /// What has not been acknowledged by the scheduler.
    public LoadCounters unreported() {
        return counters.minus(acknowledged);
    }

    /// The scheduler has everything up to these counters.
    public void acknowledge(LoadCounters upTo) {
        acknowledged = upTo;
    }

    /// The 95th percentile of the time to the first token since the call before, in milliseconds; 0
    /// when there was none.
    public double takeFirstTokenP95Millis() {
        double millis = recentFirstTokens.percentileMillis(95);
        recentFirstTokens.clear();
        return millis;
    }

    public Map<Integer, Long> answersByStatus() {
        return answersByStatus;
    }

    public Map<String, Long> rejectsByReason() {
        return rejectsByReason;
    }

    public FixedHistogram firstTokenMillis() {
        return firstTokenMillis;
    }

    public FixedHistogram latencyMillis() {
        return latencyMillis;
    }

    public FixedHistogram interTokenMillis() {
        return interTokenMillis;
    }

    public long retries() {
        return retries;
    }

    public long disconnects() {
        return disconnects;
    }

    public long broken() {
        return broken;
    }
}
