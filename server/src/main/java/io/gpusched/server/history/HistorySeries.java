package io.gpusched.server.history;

import io.gpusched.store.HistoryColumn;
import io.gpusched.store.HistoryRow;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// A series that the API offers: a stored figure, or one that follows from stored figures.
public enum HistorySeries {
    GPUS_TOTAL(HistoryColumn.GPUS_TOTAL),
    GPUS_USED(HistoryColumn.GPUS_USED),
    GPU_UTILIZATION(HistoryColumn.GPU_UTILIZATION),
    WAITING(HistoryColumn.WAITING),
    RUNNING(HistoryColumn.RUNNING),
    SUBMITTED(HistoryColumn.SUBMITTED),
    STARTED(HistoryColumn.STARTED),
    COMPLETED(HistoryColumn.COMPLETED),
    FAILED(HistoryColumn.FAILED),
    PREEMPTED(HistoryColumn.PREEMPTED),
    /// Of the jobs that started in the step.
    WAIT_P50_SECONDS(null),
    WAIT_P90_SECONDS(null),
    POWER_WATTS(HistoryColumn.POWER_WATTS),
    GPU_TEMPERATURE_MAX(HistoryColumn.GPU_TEMPERATURE_MAX),
    /// A tenant's part of the cluster's GPUs, from 0 to 1.
    SHARE(null);

    private final @Nullable HistoryColumn column;
    private final String text = name().toLowerCase(Locale.ROOT);

    HistorySeries(@Nullable HistoryColumn column) {
        this.column = column;
    }

    public static List<HistorySeries> ofCluster() {
        return Stream.of(values()).filter(series -> series != SHARE).toList();
    }

    public static List<HistorySeries> ofTenants() {
        return Stream.of(values()).filter(HistorySeries::isOfTenants).toList();
    }

    private boolean isOfTenants() {
        return column == null || column.ofTenants();
    }

    /// The figure in a step; NaN if it is unknown.
    double of(HistoryRow row, HistoryRow cluster) {
        return switch (this) {
            case WAIT_P50_SECONDS -> row.waits().quantile(0.5);
            case WAIT_P90_SECONDS -> row.waits().quantile(0.9);
            case SHARE -> share(row, cluster);
            default -> stored(row);
        };
    }

    private double stored(HistoryRow row) {
        return column == null ? Double.NaN : row.figures().getOrDefault(column, Double.NaN);
    }

    private static double share(HistoryRow row, HistoryRow cluster) {
        double all = cluster.figures().getOrDefault(HistoryColumn.GPUS_TOTAL, 0.0);
        double own = row.figures().getOrDefault(HistoryColumn.GPUS_USED, 0.0);
        return all == 0 ? Double.NaN : own / all;
    }

    /// As the API spells it: `gpus_used`.
    @Override
    public String toString() {
        return text;
    }
}
