package io.gpusched.store;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// A figure of the cluster's history, and how several steps of it become one longer step.
public enum HistoryColumn {
    GPUS_TOTAL(Fold.MEAN, false),
    GPUS_USED(Fold.MEAN, true),
    WAITING(Fold.MEAN, true),
    RUNNING(Fold.MEAN, true),
    SUBMITTED(Fold.SUM, false),
    STARTED(Fold.SUM, true),
    COMPLETED(Fold.SUM, false),
    FAILED(Fold.SUM, false),
    PREEMPTED(Fold.SUM, false),
    GPU_UTILIZATION(Fold.MEASURED, false),
    POWER_WATTS(Fold.MEASURED, true),
    GPU_TEMPERATURE_MAX(Fold.MAX, false);

    /// How the steps of a figure are joined.
    public enum Fold {
        /// The mean over all samples.
        MEAN,
        SUM,
        /// The mean over the samples in which the hardware was measured.
        MEASURED,
        MAX
    }

    private final Fold fold;
    private final boolean ofTenants;
    private final String text = name().toLowerCase(Locale.ROOT);

    HistoryColumn(Fold fold, boolean ofTenants) {
        this.fold = fold;
        this.ofTenants = ofTenants;
    }

    public Fold fold() {
        return fold;
    }

    /// Whether it is kept for each tenant, not only for the cluster.
    public boolean ofTenants() {
        return ofTenants;
    }

    /// The columns of a table, in the order of its SQL.
    static List<HistoryColumn> of(boolean tenants) {
        return Stream.of(values()).filter(column -> !tenants || column.ofTenants).toList();
    }

    /// The name of the column and of the series: `gpus_used`.
    @Override
    public String toString() {
        return text;
    }
}
