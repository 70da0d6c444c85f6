package io.gpusched.lab.pools;

import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.scale.Limited;
import io.gpusched.core.scale.ScaleLimiter;
import io.gpusched.lab.spot.LineEnd;
import io.gpusched.sim.trace.BadTrace;
import io.gpusched.sim.trace.TextLines;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Cases of the Kubernetes autoscaler with their expected results, decided again by our limiter.
public final class HpaTable {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    /// @param row in the shape of the expected file
    public record Outcome(String row, String expected) {
        public boolean isEqual() {
            return row.equals(expected);
        }
    }

    private HpaTable() {}

    /// Decides every row of a file, of either kind.
    public static List<Outcome> run(Path file) {
        List<String> lines = TextLines.all(file, "cases of the Kubernetes autoscaler");
        var outcomes = new ArrayList<Outcome>();
        boolean rates = !lines.isEmpty() && lines.getFirst().contains("up_policies");
        for (int i = 1; i < lines.size(); i++) {
            if (lines.get(i).isBlank()) {
                continue;
            }
            try {
                String line = lines.get(i).strip();
                List<String> cells = cells(line);
                String result = rates ? rate(cells) : stabilization(cells);
                outcomes.add(new Outcome(asked(line, rates ? 2 : 1) + result, line));
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new BadTrace(
                        "%s, line %d: expected the cells of line 1, found %s; correct this line"
                                .formatted(file, i + 1, lines.get(i)));
            }
        }
        if (outcomes.isEmpty()) {
            throw new BadTrace(file + " has no rows; expected cases with their results");
        }
        return outcomes;
    }

    /// Decided rows below the first line of their expected file, in its shape.
    public static String text(Path file, List<Outcome> outcomes) {
        String end = LineEnd.of(file);
        var text = new StringBuilder();
        text.append(TextLines.all(file, "columns").getFirst().strip()).append(end);
        outcomes.forEach(each -> text.append(each.row()).append(end));
        return text.toString();
    }

    /// A line without its last cells, as it was written.
    private static String asked(String line, int results) {
        int end = line.length();
        for (int i = 0; i < results; i++) {
            end = line.lastIndexOf(',', end - 1);
        }
        return line.substring(0, end + 1);
    }

    /// The cells of a line; one in quotes may have commas, which become semicolons.
    private static List<String> cells(String line) {
        var plain = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            quoted ^= c == '"';
            if (c != '"') {
                plain.append(quoted && c == ',' ? ';' : c);
            }
        }
        return List.of(plain.toString().split(",", -1));
    }

    private static String rate(List<String> cells) {
        int current = Integer.parseInt(cells.get(3));
        int wanted = Integer.parseInt(cells.get(4));
        var bounds =
                new ScaleLimiter.Bounds(
                        Integer.parseInt(cells.get(1)),
                        Integer.parseInt(cells.get(2)),
                        behavior(Duration.ZERO, cells.get(5)),
                        behavior(Duration.ZERO, cells.get(6)));
        var limiter = new ScaleLimiter();
        aged(cells.get(7)).forEach(each -> limiter.changed(each.at(), 0, each.replicas()));
        aged(cells.get(8)).forEach(each -> limiter.changed(each.at(), each.replicas(), 0));
        Limited limited = limiter.limit(NOW, bounds, current, wanted);
        String reason =
                switch (limited.limit()) {
                    case NONE, STABILIZATION -> "DesiredWithinRange";
                    case UP_STEP -> "ScaleUpLimit";
                    case DOWN_STEP -> "ScaleDownLimit";
                    case MAX -> "TooManyReplicas";
                    case MIN -> "TooFewReplicas";
                };
        return limited.replicas() + "," + reason;
    }

    private static String stabilization(List<String> cells) {
        var limiter = new ScaleLimiter();
        aged(cells.get(1)).forEach(each -> limiter.recommended(each.at(), each.replicas()));
        return Integer.toString(
                limiter.stabilized(
                        NOW,
                        behavior(Duration.ofSeconds(Integer.parseInt(cells.get(4))), ""),
                        behavior(Duration.ofSeconds(Integer.parseInt(cells.get(5))), ""),
                        Integer.parseInt(cells.get(2)),
                        Integer.parseInt(cells.get(3))));
    }

    private record Aged(Instant at, int replicas) {}

    /// `3@60s;4@20s`, the oldest first.
    private static List<Aged> aged(String text) {
        var all = new ArrayList<Aged>();
        for (String each : text.split(";", -1)) {
            if (!each.isEmpty()) {
                String[] parts = each.split("@", -1);
                all.add(new Aged(NOW.minus(seconds(parts[1])), Integer.parseInt(parts[0])));
            }
        }
        all.sort((one, other) -> one.at().compareTo(other.at()));
        return all;
    }

    /// `Pods:4/15s;Percent:100/15s`.
    private static ScaleBehavior behavior(Duration window, String text) {
        var steps = new ArrayList<ScaleBehavior.Step>();
        for (String each : text.split(";", -1)) {
            if (!each.isEmpty()) {
                String[] parts = each.split("[:/]", -1);
                steps.add(
                        new ScaleBehavior.Step(
                                parts[0].equals("Percent"),
                                Integer.parseInt(parts[1]),
                                seconds(parts[2])));
            }
        }
        return new ScaleBehavior(window, ScaleBehavior.Select.LARGEST, steps);
    }

    private static Duration seconds(String text) {
        return Duration.ofSeconds(Integer.parseInt(text.replaceFirst("s$", "")));
    }
}
