package io.gpusched.lab.spot;

import io.gpusched.sim.trace.BadTrace;
import io.gpusched.sim.trace.CsvFile;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The recorded availability of spot capacity, by region and trace.
public final class DeadlineTraces {
    private static final List<String> COLUMNS = List.of("region", "trace", "gap_s", "available");

    /// @param tick length of a tick in seconds
    /// @param available one character for each tick: 1 if there is spot capacity
    public record Trace(String region, String name, int tick, String available) {
        /// There is none after the end of the trace.
        boolean has(int at) {
            return at < available.length() && available.charAt(at) == '1';
        }
    }

    private final Map<String, Trace> traces = new LinkedHashMap<>();
    private final Path file;

    private DeadlineTraces(Path file) {
        this.file = file;
    }

    public static DeadlineTraces read(Path folder) {
        Path file = PrefixedFile.in(folder, "traces_spot_deadline");
        var traces = new DeadlineTraces(file);
        CsvFile.rows(file, "traces of spot capacity", COLUMNS, traces::add);
        return traces;
    }

    private boolean add(CsvFile.Row row) {
        String available = row.text("available");
        for (int i = 0; i < available.length(); i++) {
            char each = available.charAt(i);
            if (each != '0' && each != '1') {
                throw new IllegalArgumentException(
                        "available has the character '%c' at tick %d, expected 0 or 1"
                                .formatted(each, i));
            }
        }
        if (available.isEmpty()) {
            throw new IllegalArgumentException("available is empty");
        }
        String region = row.text("region");
        String name = row.text("trace");
        var trace = new Trace(region, name, row.whole("gap_s", 1, 86_400), available);
        if (traces.put(region + "," + name, trace) != null) {
            throw new IllegalArgumentException("this region and trace came before");
        }
        return true;
    }

    /// The trace of a run; an error if there is none or if it ends before the deadline.
    public Trace of(DeadlineCase deadlineCase) {
        @Nullable Trace trace = traces.get(deadlineCase.region() + "," + deadlineCase.trace());
        if (trace == null) {
            throw new BadTrace(
                    "%s has no trace %s of %s, which the expected results name; add it"
                            .formatted(
                                    file.getFileName(),
                                    deadlineCase.trace(),
                                    deadlineCase.region()));
        }
        double ticks = deadlineCase.deadline() / trace.tick();
        if (trace.available.length() < ticks) {
            throw new BadTrace(
                    "%s, trace %s of %s: expected at least %.0f ticks until the deadline, found %d"
                            .formatted(
                                    file.getFileName(),
                                    trace.name,
                                    trace.region,
                                    ticks,
                                    trace.available.length()));
        }
        return trace;
    }

    public List<String> regions() {
        return traces.values().stream().map(Trace::region).distinct().toList();
    }
}
