package io.gpusched.sim.trace;

import io.gpusched.core.model.Plurals;

import java.util.ArrayList;
import java.util.List;

/// The jobs of a trace file in the order of submission, and the rows that could not be used.
///
/// @param bad rows that could not be read
/// @param outOfOrder rows that stood after a later one; they are sorted in
/// @param leftOut rows that are well formed and no jobs, such as those that never ran
public record Trace(String file, List<TraceJob> jobs, BadRows bad, long outOfOrder, long leftOut) {
    public Trace {
        jobs = List.copyOf(jobs);
    }

    /// Rows that could not be read.
    ///
    /// @param first what was wrong with the first of them, each with its line number
    public record BadRows(long count, List<String> first) {
        public static final BadRows NONE = new BadRows(0, List.of());

        public BadRows {
            first = List.copyOf(first);
        }
    }

    /// Warnings about the file, one sentence each; empty if every row was used.
    public List<String> remarks() {
        var remarks = new ArrayList<String>();
        if (bad.count() > 0) {
            remarks.add(
                    "warning: %s: left out %s that cannot be read"
                            .formatted(file, Plurals.of(bad.count(), "row")));
            bad.first().forEach(row -> remarks.add("  " + row));
            long more = bad.count() - bad.first().size();
            if (more > 0) {
                remarks.add("  and " + more + " more");
            }
        }
        if (outOfOrder > 0) {
            remarks.add(
                    "warning: %s: sorted by time; %s stood after a later one"
                            .formatted(file, Plurals.of(outOfOrder, "row")));
        }
        if (leftOut > 0) {
            remarks.add(
                    "warning: %s: left out %s of jobs that never ran"
                            .formatted(file, Plurals.of(leftOut, "row")));
        }
        return remarks;
    }
}
