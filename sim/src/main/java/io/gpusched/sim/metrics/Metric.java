package io.gpusched.sim.metrics;

/// The metrics by which runs are compared; `docs/guide/figures.md` defines each.
public enum Metric {
    JOBS("jobs", "", "jobs", Better.NEITHER),
    COMPLETED("completed", "", "completed", Better.MORE),
    FAILED("failed", "", "failed by themselves", Better.NEITHER),
    UNFINISHED("unfinished", "", "unfinished", Better.LESS),
    REFUSED("refused", "", "refused", Better.NEITHER),
    WAIT_MEAN("wait_mean_s", "s", "wait, mean", Better.LESS),
    WAIT_MEDIAN("wait_median_s", "s", "wait, median", Better.LESS),
    WAIT_P90("wait_p90_s", "s", "wait, p90", Better.LESS),
    WAIT_P99("wait_p99_s", "s", "wait, p99", Better.LESS),
    COMPLETION_MEAN("completion_mean_s", "s", "completion, mean", Better.LESS),
    COMPLETION_MEDIAN("completion_median_s", "s", "completion, median", Better.LESS),
    COMPLETION_P90("completion_p90_s", "s", "completion, p90", Better.LESS),
    COMPLETION_P99("completion_p99_s", "s", "completion, p99", Better.LESS),
    SLOWDOWN_MEAN("bounded_slowdown_mean", "", "bounded slowdown, mean", Better.LESS),
    SLOWDOWN_MEDIAN("bounded_slowdown_median", "", "bounded slowdown, median", Better.LESS),
    SLOWDOWN_P90("bounded_slowdown_p90", "", "bounded slowdown, p90", Better.LESS),
    SLOWDOWN_P99("bounded_slowdown_p99", "", "bounded slowdown, p99", Better.LESS),
    MAKESPAN("makespan_s", "s", "makespan", Better.LESS),
    UTILISATION("gpu_utilisation", "1", "GPU utilisation", Better.MORE),
    ALLOCATION("gpu_allocation", "1", "GPU allocation", Better.MORE),
    FRAGMENTATION("fragmentation", "1", "fragmentation", Better.LESS),
    JAIN("jain_fairness", "1", "Jain fairness", Better.MORE),
    FINISH_MEAN("finish_time_fairness_mean", "", "finish-time fairness ρ, mean", Better.LESS),
    FINISH_P99("finish_time_fairness_p99", "", "finish-time fairness ρ, p99", Better.LESS),
    UNFAIR("unfairly_treated", "1", "jobs with ρ over 1", Better.LESS),
    AT_QUOTA("waiting_at_quota", "1", "waiting time at a quota", Better.NEITHER),
    PREEMPTIONS("preemptions", "", "preemptions", Better.LESS),
    LOSSES("losses", "", "runs lost with a node", Better.NEITHER),
    GPU_HOURS("gpu_hours", "GPU h", "GPU hours held", Better.NEITHER),
    LOST_HOURS("lost_gpu_hours", "GPU h", "GPU hours of lost work", Better.LESS),
    ENERGY("energy_kwh", "kWh", "energy", Better.LESS),
    ENERGY_ASLEEP(
            "energy_if_idle_nodes_sleep_kwh", "kWh", "energy, idle nodes asleep", Better.LESS),
    COST("cost_dollars", "$", "cost", Better.LESS),
    CARBON("carbon_gco2e", "gCO2e", "carbon", Better.LESS);

    /// Whether more or less is better.
    public enum Better {
        LESS,
        MORE,
        NEITHER
    }

    private final String key;
    private final String unit;
    private final String title;
    private final Better better;

    Metric(String key, String unit, String title, Better better) {
        this.key = key;
        this.unit = unit;
        this.title = title;
        this.better = better;
    }

    /// The name in files.
    public String key() {
        return key;
    }

    /// `1` for a share of a whole, empty for a plain number.
    public String unit() {
        return unit;
    }

    public String title() {
        return title;
    }

    public Better better() {
        return better;
    }
}
