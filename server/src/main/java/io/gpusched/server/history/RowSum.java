package io.gpusched.server.history;

import io.gpusched.store.HistoryColumn;
import io.gpusched.store.HistoryRow;
import io.gpusched.store.WaitSketch;

import java.util.EnumMap;
import java.util.Map;

/// Joins several steps to one: means for gauges, weighted by their samples, sums for counts.
final class RowSum {
    private final Map<HistoryColumn, Double> sums = new EnumMap<>(HistoryColumn.class);
    private WaitSketch waits = WaitSketch.NONE;
    private int samples;
    private int measured;

    void add(HistoryRow row) {
        samples += row.samples();
        measured += row.measured();
        waits = waits.plus(row.waits());
        row.figures().forEach((column, figure) -> add(column, figure, row));
    }

    private void add(HistoryColumn column, double figure, HistoryRow row) {
        switch (column.fold()) {
            case MEAN -> sums.merge(column, figure * row.samples(), Double::sum);
            case SUM -> sums.merge(column, figure, Double::sum);
            case MEASURED -> sums.merge(column, figure * row.measured(), Double::sum);
            case MAX -> sums.merge(column, figure, Math::max);
        }
    }

    int samples() {
        return samples;
    }

    /// The joined step of the cluster.
    HistoryRow row(int step, long at) {
        return row(step, at, "", this);
    }

    /// The joined step of a tenant. A tenant has no row for a step without jobs, so its means are
    /// over the samples of the cluster.
    HistoryRow row(int step, long at, String tenant, RowSum cluster) {
        var figures = new EnumMap<HistoryColumn, Double>(HistoryColumn.class);
        sums.forEach(
                (column, sum) -> {
                    int of =
                            switch (column.fold()) {
                                case MEAN -> cluster.samples;
                                case MEASURED -> cluster.measured;
                                case SUM, MAX -> 1;
                            };
                    if (of > 0) {
                        figures.put(column, sum / of);
                    }
                });
        return new HistoryRow(step, at, tenant, cluster.samples, cluster.measured, figures, waits);
    }
}
