package io.gpusched.bench.report;

import java.time.Instant;
import java.util.List;

/// The result of one run of one bench.
///
/// @param how what was measured and under which conditions, in sentences
public record Result(
        String bench,
        String title,
        String how,
        Instant measured,
        MachineDescription machineDescription,
        List<Figure> figures) {
    public Result {
        figures = List.copyOf(figures);
    }

    public boolean reached() {
        return figures.stream().allMatch(Figure::reached);
    }
}
