package io.gpusched.lab.pools;

import io.gpusched.sim.trace.CsvFile;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Figures of another program for the same world, to compare ours with.
public final class PoolBaselines {
    private static final double POINTS = 1;
    private static final double PART = 0.02;

    /// What the other program found.
    public record Baseline(double percent, double gpuHours) {}

    private final Map<String, Baseline> rows = new HashMap<>();

    public static PoolBaselines read(Path file) {
        var baselines = new PoolBaselines();
        CsvFile.rows(
                file,
                "expected figures of laws",
                List.of(PoolResult.COLUMNS.split(",", -1)),
                row ->
                        baselines.rows.put(
                                        String.join(
                                                ",",
                                                row.text("trace"),
                                                row.text("copies"),
                                                row.text("load_s"),
                                                row.text("slo_ttft_s"),
                                                row.text("slo_itl_ms"),
                                                row.text("controller")),
                                        new Baseline(
                                                row.number("slo_attainment_pct"),
                                                row.number("gpu_hours")))
                                == null);
        return baselines;
    }

    public @Nullable Baseline of(PoolResult result) {
        return rows.get(result.key());
    }

    /// Whether a result is within one point and two percent of the expected one.
    public boolean agrees(PoolResult result) {
        Baseline expected = of(result);
        return expected != null
                && Math.abs(result.percent() - expected.percent()) <= POINTS
                && Math.abs(result.gpuHours() - expected.gpuHours()) <= PART * expected.gpuHours();
    }

    /// How a result differs, for people; empty when nothing is expected.
    public String difference(PoolResult result) {
        Baseline expected = of(result);
        return expected == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        "expected %.2f %% and %.2f GPU-hours",
                        expected.percent(),
                        expected.gpuHours());
    }
}
