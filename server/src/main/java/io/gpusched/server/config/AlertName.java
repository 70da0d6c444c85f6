package io.gpusched.server.config;

import java.util.Locale;

/// The conditions that the scheduler can alert about. A name is an interface: it is shown by the
/// API, selects alerts in webhooks, and is the same as in the shipped Prometheus rules.
public enum AlertName {
    PENDING_TOO_LONG("PendingTooLong", 60),
    STARVATION("Starvation", 60),
    PREEMPTION_RATE("PreemptionRate", 300),
    FRAGMENTATION("Fragmentation", 600),
    NODE_LOST("NodeLost", 30),
    BLACK_HOLE_NODE("BlackHoleNode", 0),
    HOT_GPUS("HotGpus", 300),
    JOURNAL_LAG("JournalLag", 30),
    EXPLORATION_RATIO("ExplorationRatio", 300),
    LOW_CERTAINTY("LowCertainty", 1800),
    FORECAST_COVERAGE("ForecastCoverage", 1800),
    POOL_SLO_AT_RISK("PoolSloAtRisk", 120),
    POOL_WAITING("PoolWaiting", 180),
    POOL_LOAD_STALE("PoolLoadStale", 60),
    POOL_CRASH_LOOP("PoolCrashLoop", 0),
    POOL_COST_LIMIT("PoolCostLimit", 300),
    DEADLINE_AT_RISK("DeadlineAtRisk", 60);

    private final String shown;
    private final long holdSeconds;

    AlertName(String shown, long holdSeconds) {
        this.shown = shown;
        this.holdSeconds = holdSeconds;
    }

    /// How users see the name: `PendingTooLong`.
    public String shown() {
        return shown;
    }

    /// The section of its settings: `alerts.pending_too_long`.
    public String setting() {
        return "alerts." + name().toLowerCase(Locale.ROOT);
    }

    /// What the keys of its settings begin with: `alerts.pending_too_long.`.
    String section() {
        return setting() + ".";
    }

    /// By default, how long the condition must hold before the alert fires.
    long holdSeconds() {
        return holdSeconds;
    }

    @Override
    public String toString() {
        return shown;
    }
}
