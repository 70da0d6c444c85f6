package io.gpusched.lab.philly;

import io.gpusched.sim.trace.CsvFile;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Collects outcomes, and compares them with `expected_lucid_sim.csv` where it lies beside the
/// trace.
public final class LucidTable {
    /// The columns of [#lines].
    public static final String HEADER =
            "vc,nodes,policy,jobs,avg_jct_s,avg_queue_s,last_end_s,preemptions";

    private static final String NAME = "expected_lucid_sim.csv";

    private static final List<String> EXPECTED =
            List.of("vc", "nodes", "policy", "jobs", "avg_jct_s", "avg_queue_s", "peer_wall_s");

    /// A published row.
    private record Published(double completion, double queued, String seconds) {}

    /// One run, and what there is to compare it with.
    private record Row(
            String policy, VirtualCluster.Outcome outcome, double seconds, String verdict) {}

    private final String vc;
    private final int nodes;
    private final Map<String, Published> published = new LinkedHashMap<>();
    private final List<Row> rows = new ArrayList<>();

    /// @param trace whose directory may hold published results
    public LucidTable(String vc, int nodes, Path trace) {
        this.vc = vc;
        this.nodes = nodes;
        Path file = trace.toAbsolutePath().resolveSibling(NAME);
        if (Files.exists(file)) {
            CsvFile.rows(file, "results of Lucid's simulator", EXPECTED, this::read);
        }
    }

    private boolean read(CsvFile.Row row) {
        published.put(
                key(row.text("vc"), row.text("nodes"), row.text("policy"), row.text("jobs")),
                new Published(
                        row.number("avg_jct_s"),
                        row.number("avg_queue_s"),
                        row.text("peer_wall_s")));
        return true;
    }

    private static String key(String vc, String nodes, String policy, String jobs) {
        return String.join(",", vc, nodes, policy, jobs);
    }

    /// Adds a run that took so many seconds. Returns how it compares, for people.
    public String add(String policy, VirtualCluster.Outcome outcome, double seconds) {
        Published theirs =
                published.get(
                        key(vc, Integer.toString(nodes), policy, Integer.toString(outcome.jobs())));
        String verdict = theirs == null ? "no published results" : verdict(outcome, theirs);
        rows.add(new Row(policy, outcome, seconds, verdict));
        return verdict;
    }

    private static String verdict(VirtualCluster.Outcome ours, Published theirs) {
        boolean equal =
                digits(ours.completion()).equals(digits(theirs.completion))
                        && digits(ours.queued()).equals(digits(theirs.queued));
        return equal
                ? "equal to the last digit"
                : String.format(
                        Locale.ROOT,
                        "completion %+.2f %%, queueing %+.2f %%",
                        100 * (ours.completion() / theirs.completion - 1),
                        100 * (ours.queued() / theirs.queued - 1));
    }

    private static String digits(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /// The rows as CSV.
    public List<String> lines() {
        var lines = new ArrayList<String>();
        lines.add(HEADER);
        for (Row row : rows) {
            VirtualCluster.Outcome outcome = row.outcome;
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "%s,%d,%s,%d,%.2f,%.2f,%.0f,%d",
                            vc,
                            nodes,
                            row.policy,
                            outcome.jobs(),
                            outcome.completion(),
                            outcome.queued(),
                            outcome.lastEnd(),
                            outcome.preemptions()));
        }
        return lines;
    }

    /// The page of results.
    public String page() {
        var text = new StringBuilder();
        text.append("# One virtual cluster of Philly\n\n");
        text.append("Written by `bin/lab philly --trace FILE --vc ").append(vc);
        text.append(" --nodes ").append(nodes).append(" --report FILE`: the setting of Lucid's\n");
        text.append("simulator (ASPLOS 2023), run by the production core. Means over the jobs, in");
        text.append(" seconds; *compared* is with that simulator's\nown output, mean completion");
        text.append(" and mean queueing. `srtf` and `tiresias` choose in rounds by the number of");
        text.append(" GPUs, as that simulator\ndoes; `srtf-core` and `tiresias-core` preempt only");
        text.append(" jobs whose GPUs the next job needs.\n\n");
        text.append("| policy | jobs | completion | queueing | last end | preemptions |");
        text.append(" processor time, s | that simulator, s | compared |\n");
        text.append("|---|---|---|---|---|---|---|---|---|\n");
        for (Row row : rows) {
            VirtualCluster.Outcome outcome = row.outcome;
            Published theirs =
                    published.get(
                            key(
                                    vc,
                                    Integer.toString(nodes),
                                    row.policy,
                                    Integer.toString(outcome.jobs())));
            text.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %d | %.2f | %.2f | %.0f | %d | %.2f | %s | %s |%n",
                            row.policy,
                            outcome.jobs(),
                            outcome.completion(),
                            outcome.queued(),
                            outcome.lastEnd(),
                            outcome.preemptions(),
                            row.seconds,
                            theirs == null ? "" : theirs.seconds,
                            theirs == null ? "" : row.verdict));
        }
        return text.toString();
    }
}
