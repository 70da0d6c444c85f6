package io.gpusched.lab.spot;

import io.gpusched.sim.trace.CsvFile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// A service on the spot capacity of several zones ("SkyServe", EuroSys 2025).
public final class ServingExperiment {
    private static final int MOST = 1_000_000;

    private final ServingTraces traces;
    private final String lineEnd;
    private final Map<ServingCase, Map<String, String>> expected = new LinkedHashMap<>();

    private ServingExperiment(ServingTraces traces, String lineEnd) {
        this.traces = traces;
        this.lineEnd = lineEnd;
    }

    public static ServingExperiment read(Path folder) {
        Path file = PrefixedFile.in(folder, "expected_spot_serving");
        var experiment = new ServingExperiment(ServingTraces.read(folder), LineEnd.of(file));
        List<String> columns = List.of(ServingRow.header().split(",", -1));
        CsvFile.rows(file, "expected results", columns, experiment::expect);
        return experiment;
    }

    private boolean expect(CsvFile.Row row) {
        String policy = row.text("policy");
        if (!PublishedServing.NAMES.contains(policy)) {
            throw new IllegalArgumentException(
                    "policy is not one of " + String.join(", ", PublishedServing.NAMES));
        }
        var given =
                new ServingCase(
                        row.text("trace"),
                        row.text("seed"),
                        row.whole("window", 0, MOST),
                        row.whole("offset", 0, Integer.MAX_VALUE / 2),
                        policy,
                        row.whole("overprovision", 0, 100),
                        row.whole("cold_start_ticks", 0, 1_000));
        var cells = new LinkedHashMap<String, String>();
        for (String column : ServingRow.COLUMNS) {
            if (!column.equals("order")) {
                row.number(column);
            }
            cells.put(column, row.text(column));
        }
        if (expected.put(given, cells) != null) {
            throw new IllegalArgumentException("this window and policy came before");
        }
        return true;
    }

    /// The line end of the expected results.
    public String lineEnd() {
        return lineEnd;
    }

    /// What is expected, in the order of the file.
    public List<ServingCase> cases() {
        return List.copyOf(expected.keySet());
    }

    /// The windows of the file with our policy, each once.
    public List<ServingCase> ours() {
        return expected.keySet().stream().map(ServingCase::ours).distinct().toList();
    }

    public List<ServingRow> run(List<ServingCase> cases, Consumer<ServingCase> over) {
        var rows = new ArrayList<ServingRow>();
        for (ServingCase each : cases) {
            rows.add(ServingRow.of(each, traces.zones(each.trace())));
            over.accept(each);
        }
        return rows;
    }

    /// The columns that differ from the expected row, in words.
    List<String> differences(ServingRow row) {
        Map<String, String> cells = expected.getOrDefault(row.given(), Map.of());
        var lines = new ArrayList<String>();
        cells.forEach(
                (column, cell) -> {
                    if (!cell.equals(row.cell(column))) {
                        lines.add(
                                "%s: %s: expected %s, found %s"
                                        .formatted(row.given(), column, cell, row.cell(column)));
                    }
                });
        return lines;
    }
}
