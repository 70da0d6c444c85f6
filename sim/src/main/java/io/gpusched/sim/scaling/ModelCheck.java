package io.gpusched.sim.scaling;

import io.gpusched.core.event.Command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// How far the replay of the law in force is from what was recorded.
///
/// @param points attained in the replay minus attained in the record; `NaN` where one is not known
/// @param part GPU-hours of the replay by those of the record, minus 1; `NaN` where there were none
/// @param reasons why the comparison cannot be trusted; none if it can
/// @param notes what the reader should know in any case
public record ModelCheck(double points, double part, List<String> reasons, List<String> notes) {
    /// The attained percentages may differ by so many points.
    public static final double MOST_POINTS = 3;

    /// GPU-hours may differ by this part.
    public static final double MOST_PART = 0.1;

    /// Reports should cover so much of the span.
    private static final double LEAST_COVERED = 0.9;

    private static final int FEW_ITERATIONS = 50;

    public ModelCheck {
        reasons = List.copyOf(reasons);
        notes = List.copyOf(notes);
    }

    public boolean isTrusted() {
        return reasons.isEmpty();
    }

    /// @param replayed the law in force in the run
    /// @param covered the part of the span that reports tell about
    static ModelCheck of(
            PoolRecord record, LawFigures replayed, ReplicaSpeed speed, double covered) {
        PoolRecord.Figures real = record.figures();
        boolean measured = !record.pool().slo().isNone();
        double points = measured ? replayed.percent() - real.percent() : Double.NaN;
        double part = real.gpuHours() == 0 ? Double.NaN : replayed.gpuHours() / real.gpuHours() - 1;
        var reasons = new ArrayList<String>();
        if (Double.isNaN(part)) {
            reasons.add("the record has no GPU-hours to compare with");
        } else if (Math.abs(part) > MOST_PART) {
            reasons.add(
                    text(
                            "the replay of the recorded law takes %.1f %% %s GPU-hours than were"
                                    + " recorded; at most %.0f %% is trusted",
                            100 * Math.abs(part), part > 0 ? "more" : "fewer", 100 * MOST_PART));
        }
        if (measured && Double.isNaN(points)) {
            reasons.add("no report says how many requests were answered");
        } else if (measured && Math.abs(points) > MOST_POINTS) {
            reasons.add(
                    text(
                            "the replay of the recorded law attains %.1f points %s than was"
                                    + " recorded; at most %.0f points are trusted",
                            Math.abs(points), points > 0 ? "more" : "less", MOST_POINTS));
        }
        var causes = causes(record, speed, covered);
        boolean trusted = reasons.isEmpty();
        if (points < -MOST_POINTS && record.pool().slo().interTokenMillis() > 0) {
            causes.add(
                    "reports tell the mean length of answers and not the shortest, which miss an"
                            + " objective between tokens first");
        }
        if (!trusted) {
            reasons.addAll(causes);
        }
        return new ModelCheck(points, part, reasons, trusted ? causes : List.of());
    }

    /// What a run does not model.
    private static List<String> causes(PoolRecord record, ReplicaSpeed speed, double covered) {
        var causes = new ArrayList<String>();
        PoolRecord.Figures real = record.figures();
        if (speed.observed() < FEW_ITERATIONS) {
            causes.add(
                    "hardly any report tells the time between tokens, so the speed of replicas is"
                            + " that of a usual model");
        }
        if (covered < LEAST_COVERED) {
            causes.add(text("reports cover only %.0f %% of the span", 100 * covered));
        }
        if (record.loads() == 0) {
            causes.add("no replica became ready in the span, so the load time is assumed");
        }
        if (real.rejected() > 0) {
            causes.add(
                    text(
                            "%,d requests were rejected; a run answers every request",
                            real.rejected()));
        }
        if (real.lost() > 0) {
            causes.add(
                    text(
                            "%d times a replica lost its capacity or ended by itself; that does not"
                                    + " happen in a run",
                            real.lost()));
        }
        if (record.held() != null
                || record.changes().stream()
                        .anyMatch(each -> each.input() instanceof Command.ScalePool)) {
            causes.add("an operator held the pool; every law has that size while it is held");
        }
        return causes;
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
