package io.gpusched.server.history;

import io.gpusched.store.HistoryColumn;
import io.gpusched.store.HistoryRow;
import io.gpusched.store.HistoryTables;
import io.gpusched.store.WaitSketch;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/// Reads series of the history for a chart. The steps are as long as the chart's width asks for;
/// where a long step is not complete yet, the shorter ones fill in.
public final class HistoryReader {
    private final HistoryTables tables;
    private final InstantSource clock;

    public HistoryReader(HistoryTables tables, InstantSource clock) {
        this.tables = tables;
        this.clock = clock;
    }

    /// What a chart shows.
    ///
    /// @param from seconds since 1970
    /// @param points at most this many steps
    public record Window(long from, long to, int points) {}

    /// Series over the same steps.
    ///
    /// @param times where each step begins, in seconds since 1970
    /// @param series by name; NaN for an unknown figure
    public record Chart(
            int stepSeconds, List<Long> times, SequencedMap<String, List<Double>> series) {}

    /// Series of the whole cluster.
    public Chart cluster(Window window, List<HistorySeries> wanted) {
        var steps = ChartSteps.of(window, clock.instant().getEpochSecond());
        Map<Long, RowSum> sums = cluster(steps);
        var series = new LinkedHashMap<String, List<Double>>();
        for (HistorySeries one : wanted) {
            series.put(
                    one.toString(),
                    figures(
                            steps,
                            at -> {
                                RowSum sum = sums.get(at);
                                HistoryRow row = sum == null ? null : sum.row(steps.seconds(), at);
                                return row == null ? Double.NaN : one.of(row, row);
                            }));
        }
        return new Chart(steps.seconds(), steps.times(), series);
    }

    /// Series of one tenant; null if the history knows nothing of it.
    public @Nullable Chart tenant(Window window, List<HistorySeries> wanted, String tenant) {
        var steps = ChartSteps.of(window, clock.instant().getEpochSecond());
        RowsOfTenant own = tenants(steps, tenant).get(tenant);
        return own == null ? null : chart(own, wanted, steps);
    }

    /// The series of a tenant that had no jobs.
    public Chart idle(Window window, List<HistorySeries> wanted) {
        var steps = ChartSteps.of(window, clock.instant().getEpochSecond());
        return chart(new RowsOfTenant(""), wanted, steps);
    }

    private Chart chart(RowsOfTenant rows, List<HistorySeries> wanted, ChartSteps steps) {
        Map<Long, RowSum> sums = cluster(steps);
        var series = new LinkedHashMap<String, List<Double>>();
        for (HistorySeries one : wanted) {
            series.put(one.toString(), rows.figures(one, steps, sums));
        }
        return new Chart(steps.seconds(), steps.times(), series);
    }

    /// One series of every tenant, or of one; the largest sum first.
    ///
    /// @param only null for all
    public Chart tenants(Window window, HistorySeries series, @Nullable String only) {
        var steps = ChartSteps.of(window, clock.instant().getEpochSecond());
        Map<Long, RowSum> sums = cluster(steps);
        var found = new ArrayList<Map.Entry<String, List<Double>>>();
        tenants(steps, only)
                .forEach(
                        (tenant, rows) ->
                                found.add(Map.entry(tenant, rows.figures(series, steps, sums))));
        found.sort((a, b) -> Double.compare(sum(b.getValue()), sum(a.getValue())));
        var all = new LinkedHashMap<String, List<Double>>();
        found.forEach(entry -> all.put(entry.getKey(), entry.getValue()));
        return new Chart(steps.seconds(), steps.times(), all);
    }

    private static double sum(List<Double> figures) {
        double sum = 0;
        for (double figure : figures) {
            sum += Double.isNaN(figure) ? 0 : figure;
        }
        return sum;
    }

    private Map<Long, RowSum> cluster(ChartSteps steps) {
        var sums = new TreeMap<Long, RowSum>();
        walk(
                steps,
                (level, span) -> {
                    for (HistoryRow row : tables.cluster(level.seconds(), span.from(), span.to())) {
                        sums.computeIfAbsent(steps.of(row.at()), at -> new RowSum()).add(row);
                    }
                });
        return sums;
    }

    private Map<String, RowsOfTenant> tenants(ChartSteps steps, @Nullable String only) {
        var tenants = new TreeMap<String, RowsOfTenant>();
        walk(
                steps,
                (level, span) ->
                        tables.tenants(
                                level.seconds(),
                                span.from(),
                                span.to(),
                                only,
                                row ->
                                        tenants.computeIfAbsent(
                                                        row.tenant(),
                                                        name -> new RowsOfTenant(name))
                                                .add(steps.of(row.at()), row)));
        return tenants;
    }

    record Span(long from, long to) {}

    /// Visits the levels from the one that the chart needs down to the finest. Each fills in after
    /// the newest step of the one before.
    private void walk(ChartSteps steps, BiConsumer<HistoryLevel, Span> visit) {
        walk(tables, steps, visit);
    }

    static void walk(HistoryTables tables, ChartSteps steps, BiConsumer<HistoryLevel, Span> visit) {
        long from = steps.from();
        for (int level = steps.level().ordinal(); level >= 0 && from < steps.to(); level--) {
            HistoryLevel one = HistoryLevel.ALL.get(level);
            long newest = level == 0 ? Long.MAX_VALUE : tables.newest(one.seconds());
            long to =
                    level == 0 ? steps.to() : Math.clamp(newest + one.seconds(), from, steps.to());
            if (newest >= 0 && to > from) {
                visit.accept(one, new Span(from, to));
                from = to;
            }
        }
    }

    private interface Figure {
        double at(long time);
    }

    private static List<Double> figures(ChartSteps steps, Figure figure) {
        var figures = new ArrayList<Double>();
        for (long at : steps.times()) {
            figures.add(figure.at(at));
        }
        return Collections.unmodifiableList(figures);
    }

    /// The steps of one tenant.
    private static final class RowsOfTenant {
        private final String tenant;
        private final Map<Long, RowSum> sums = new TreeMap<>();

        RowsOfTenant(String tenant) {
            this.tenant = tenant;
        }

        void add(long at, HistoryRow row) {
            sums.computeIfAbsent(at, time -> new RowSum()).add(row);
        }

        /// A step of the cluster without a row of the tenant is one without jobs.
        List<Double> figures(HistorySeries series, ChartSteps steps, Map<Long, RowSum> cluster) {
            return HistoryReader.figures(
                    steps,
                    at -> {
                        RowSum all = cluster.get(at);
                        if (all == null) {
                            return Double.NaN;
                        }
                        HistoryRow row =
                                sums.getOrDefault(at, new RowSum())
                                        .row(steps.seconds(), at, tenant, all);
                        return series.of(withZeros(row), all.row(steps.seconds(), at));
                    });
        }

        private static HistoryRow withZeros(HistoryRow row) {
            var figures = new EnumMap<HistoryColumn, Double>(HistoryColumn.class);
            for (HistoryColumn column : HistoryColumn.values()) {
                boolean known = column.fold() != HistoryColumn.Fold.MEASURED || row.measured() > 0;
                if (column.ofTenants() && known) {
                    figures.put(column, row.figures().getOrDefault(column, 0.0));
                }
            }
            WaitSketch waits = row.waits();
            return new HistoryRow(
                    row.step(),
                    row.at(),
                    row.tenant(),
                    row.samples(),
                    row.measured(),
                    figures,
                    waits);
        }
    }
}
