package io.gpusched.lab.spot;

import io.gpusched.sim.trace.BadTrace;
import io.gpusched.sim.trace.CsvFile;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Recorded spot capacity of several zones over time.
public final class ServingTraces {
    static final int TICK = 30;

    private static final List<String> COLUMNS =
            List.of("trace", "zone", "gap_s", "tick_s", "data_rle");

    /// Traces in which 1 stands for any number.
    private static final String UNLIMITED_TRACE = "AWS3";

    private static final int ANY = 1_000;
    private static final int MOST_TICKS = 20_000_000;

    private final Map<String, TreeMap<String, int[]>> traces = new TreeMap<>();
    private final Path file;

    private ServingTraces(Path file) {
        this.file = file;
    }

    public static ServingTraces read(Path folder) {
        Path file = PrefixedFile.in(folder, "traces_spot_serving");
        var traces = new ServingTraces(file);
        CsvFile.rows(file, "traces of spot capacity by zone", COLUMNS, traces::add);
        return traces;
    }

    private boolean add(CsvFile.Row row) {
        int gap = row.whole("gap_s", TICK, 86_400);
        int tick = row.whole("tick_s", TICK, TICK);
        if (gap % tick != 0) {
            throw new IllegalArgumentException("gap_s is not a multiple of tick_s");
        }
        String trace = row.text("trace");
        int[] capacity = capacity(row.text("data_rle"), gap / tick, trace.equals(UNLIMITED_TRACE));
        var zones = traces.computeIfAbsent(trace, name -> new TreeMap<>());
        if (zones.put(row.text("zone"), capacity) != null) {
            throw new IllegalArgumentException("this trace and zone came before");
        }
        return true;
    }

    private static int[] capacity(String runs, int repeat, boolean unlimited) {
        String[] parts = runs.split(" ", -1);
        long length = 0;
        for (String part : parts) {
            if (!part.matches("\\d{1,6}x[1-9]\\d{0,6}")) {
                throw new IllegalArgumentException(
                        "data_rle has \"%s\", expected a number, an x and how often it comes"
                                .formatted(part));
            }
            length += Long.parseLong(part.substring(part.indexOf('x') + 1)) * repeat;
        }
        if (length > MOST_TICKS) {
            throw new IllegalArgumentException("data_rle has more than " + MOST_TICKS + " ticks");
        }
        var capacity = new int[(int) length];
        int at = 0;
        for (String part : parts) {
            int cut = part.indexOf('x');
            int value = Integer.parseInt(part.substring(0, cut));
            int ticks = Integer.parseInt(part.substring(cut + 1)) * repeat;
            for (int i = 0; i < ticks; i++) {
                capacity[at++] = unlimited && value > 0 ? ANY : value;
            }
        }
        return capacity;
    }

    /// The zones of a trace, sorted by name.
    Map<String, int[]> zones(String trace) {
        TreeMap<String, int[]> zones = traces.get(trace);
        if (zones == null) {
            throw new BadTrace(
                    "%s has no trace %s, which the expected results name; add it"
                            .formatted(file.getFileName(), trace));
        }
        return zones;
    }
}
