package io.gpusched.lab.spot;

import io.gpusched.core.spot.DeadlineRule;
import io.gpusched.sim.trace.CsvFile;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Batch jobs with a deadline on recorded spot capacity ("Can't Be Late", NSDI 2024).
public final class DeadlineExperiment {
    private static final int TABLES = 64;

    private final DeadlineTraces traces;
    private final String lineEnd;
    private final Map<DeadlineCase, Map<String, String>> expected = new LinkedHashMap<>();

    private DeadlineExperiment(DeadlineTraces traces, String lineEnd) {
        this.traces = traces;
        this.lineEnd = lineEnd;
    }

    public static DeadlineExperiment read(Path folder) {
        Path file = PrefixedFile.in(folder, "expected_spot_deadline");
        var experiment = new DeadlineExperiment(DeadlineTraces.read(folder), LineEnd.of(file));
        var columns = new ArrayList<>(DeadlineRow.KEYS);
        columns.addAll(DeadlineRow.COLUMNS);
        CsvFile.rows(file, "expected results", columns, experiment::expect);
        return experiment;
    }

    private boolean expect(CsvFile.Row row) {
        var given =
                new DeadlineCase(
                        row.text("region"),
                        row.text("trace"),
                        row.text("task_h"),
                        row.text("deadline_h"),
                        row.text("overhead_h"));
        if (row.number("task_h") <= 0 || row.number("overhead_h") < 0) {
            throw new IllegalArgumentException("task_h or overhead_h is too small");
        }
        if (row.number("deadline_h") < row.number("task_h") + row.number("overhead_h")) {
            throw new IllegalArgumentException("deadline_h leaves no time for task and overhead");
        }
        var cells = new LinkedHashMap<String, String>();
        for (String column : DeadlineRow.COLUMNS) {
            row.number(column);
            cells.put(column, row.text(column));
        }
        if (expected.put(given, cells) != null) {
            throw new IllegalArgumentException("this run came before");
        }
        return true;
    }

    /// The line end of the expected results.
    public String lineEnd() {
        return lineEnd;
    }

    public List<String> regions() {
        return traces.regions();
    }

    /// The runs that are expected, or the same ones with other overheads.
    public List<DeadlineCase> cases(List<String> overheads) {
        if (overheads.isEmpty()) {
            return List.copyOf(expected.keySet());
        }
        var cases = new LinkedHashSet<DeadlineCase>();
        for (DeadlineCase each : expected.keySet()) {
            overheads.forEach(overhead -> cases.add(each.with(overhead)));
        }
        return List.copyOf(cases);
    }

    /// Runs all, in order.
    public List<DeadlineRow> run(List<DeadlineCase> cases, Consumer<DeadlineCase> over) {
        var rule = new DeadlineRule(TABLES);
        var rows = new ArrayList<DeadlineRow>();
        for (DeadlineCase each : cases) {
            rows.add(DeadlineRow.of(each, traces.of(each), rule));
            over.accept(each);
        }
        return rows;
    }

    /// What is expected in a cell; null where the run is not in the file.
    public @Nullable String expected(DeadlineCase given, String column) {
        Map<String, String> cells = expected.get(given);
        return cells == null ? null : cells.get(column);
    }
}
