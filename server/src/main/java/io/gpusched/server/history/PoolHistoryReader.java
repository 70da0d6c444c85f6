package io.gpusched.server.history;

import io.gpusched.store.HistoryTables;
import io.gpusched.store.PoolHistoryRow;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/// Reads series of a pool's history for a chart.
public final class PoolHistoryReader {
    private static final SequencedMap<String, ToDoubleFunction<PoolHistoryRow>> MEANS = means();
    private static final SequencedMap<String, ToDoubleFunction<PoolHistoryRow>> MEASURED =
            measured();

    private final HistoryTables tables;
    private final InstantSource clock;

    public PoolHistoryReader(HistoryTables tables, InstantSource clock) {
        this.tables = tables;
        this.clock = clock;
    }

    private static SequencedMap<String, ToDoubleFunction<PoolHistoryRow>> means() {
        var means = new LinkedHashMap<String, ToDoubleFunction<PoolHistoryRow>>();
        means.put("replicas", PoolHistoryRow::replicas);
        means.put("ready", PoolHistoryRow::ready);
        means.put("arrivals", PoolHistoryRow::arrivals);
        means.put("tokens_per_second", PoolHistoryRow::tokensPerSecond);
        means.put("cost_per_hour", PoolHistoryRow::costPerHour);
        return means;
    }

    private static SequencedMap<String, ToDoubleFunction<PoolHistoryRow>> measured() {
        var measured = new LinkedHashMap<String, ToDoubleFunction<PoolHistoryRow>>();
        measured.put("ttft_p95_ms", PoolHistoryRow::firstTokenP95);
        measured.put("slo_percent", PoolHistoryRow::sloPercent);
        return measured;
    }

    /// All series; NaN where the pool was not there, or where no request was answered.
    public HistoryReader.Chart read(HistoryReader.Window window, String pool) {
        var steps = ChartSteps.of(window, clock.instant().getEpochSecond());
        Map<Long, List<PoolHistoryRow>> rows = new TreeMap<>();
        HistoryReader.walk(
                tables,
                steps,
                (level, span) -> {
                    for (PoolHistoryRow row :
                            tables.pools().read(pool, level.seconds(), span.from(), span.to())) {
                        rows.computeIfAbsent(steps.of(row.at()), at -> new ArrayList<>()).add(row);
                    }
                });
        var series = new LinkedHashMap<String, List<Double>>();
        MEANS.forEach(
                (name, figure) ->
                        series.put(name, figures(steps, rows, figure, PoolHistoryRow::samples)));
        MEASURED.forEach(
                (name, figure) ->
                        series.put(name, figures(steps, rows, figure, PoolHistoryRow::measured)));
        return new HistoryReader.Chart(steps.seconds(), steps.times(), series);
    }

    private static List<Double> figures(
            ChartSteps steps,
            Map<Long, List<PoolHistoryRow>> rows,
            ToDoubleFunction<PoolHistoryRow> figure,
            ToDoubleFunction<PoolHistoryRow> weight) {
        var figures = new ArrayList<Double>();
        for (long at : steps.times()) {
            figures.add(mean(rows.get(at), figure, weight));
        }
        return List.copyOf(figures);
    }

    private static double mean(
            @Nullable List<PoolHistoryRow> rows,
            ToDoubleFunction<PoolHistoryRow> figure,
            ToDoubleFunction<PoolHistoryRow> weight) {
        double sum = 0;
        double weights = 0;
        for (PoolHistoryRow row : rows == null ? List.<PoolHistoryRow>of() : rows) {
            double of = weight.applyAsDouble(row);
            if (of > 0) {
                sum += figure.applyAsDouble(row) * of;
                weights += of;
            }
        }
        return weights == 0 ? Double.NaN : sum / weights;
    }
}
