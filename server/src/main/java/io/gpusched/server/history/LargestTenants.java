package io.gpusched.server.history;

import io.gpusched.store.HistoryColumn;
import io.gpusched.store.HistoryRow;
import io.gpusched.store.WaitSketch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;

/// Bounds the number of rows of a step: the tenants that hold most keep rows of their own, and the
/// rest become one.
final class LargestTenants {
    static final int MOST = 100;

    /// The name of the rest. No tenant is called so.
    static final String OTHER = "(other)";

    private LargestTenants() {}

    static List<HistoryRow> of(List<HistoryRow> rows) {
        if (rows.size() <= MOST) {
            return rows;
        }
        var sorted = new ArrayList<>(rows);
        sorted.sort(
                Comparator.comparing((HistoryRow row) -> row.tenant().equals(OTHER))
                        .thenComparingDouble(row -> -figure(row, HistoryColumn.GPUS_USED))
                        .thenComparingDouble(row -> -figure(row, HistoryColumn.RUNNING))
                        .thenComparingDouble(row -> -figure(row, HistoryColumn.WAITING))
                        .thenComparing(HistoryRow::tenant));
        var kept = new ArrayList<>(sorted.subList(0, MOST));
        kept.add(rest(sorted.subList(MOST, sorted.size())));
        return kept;
    }

    private static HistoryRow rest(List<HistoryRow> rows) {
        HistoryRow first = rows.getFirst();
        var figures = new EnumMap<HistoryColumn, Double>(HistoryColumn.class);
        WaitSketch waits = WaitSketch.NONE;
        for (HistoryRow row : rows) {
            row.figures().forEach((column, figure) -> figures.merge(column, figure, Double::sum));
            waits = waits.plus(row.waits());
        }
        return new HistoryRow(
                first.step(), first.at(), OTHER, first.samples(), first.measured(), figures, waits);
    }

    private static double figure(HistoryRow row, HistoryColumn column) {
        return row.figures().getOrDefault(column, 0.0);
    }
}
