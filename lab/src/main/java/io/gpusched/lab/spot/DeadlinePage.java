package io.gpusched.lab.spot;

import java.util.List;
import java.util.function.Predicate;

/// Writes the results of the experiment with deadlines as a Markdown page.
public final class DeadlinePage {
    private DeadlinePage() {}

    /// @param more the same runs with other overheads
    public static String text(DeadlineSummary summary, DeadlineSummary more) {
        var text = new StringBuilder();
        text.append("# Deadlines on spot capacity\n\n");
        text.append("Written by `bin/lab spot-deadline --data DIR --report FILE`: ");
        text.append(summary.rows().size()).append(" runs of *Can't Be Late* (NSDI 2024).\n");
        text.append("`ours` is the rule of the scheduler (`core.spot.DeadlineRule`).\n\n");
        text.append("## Against the expected results\n\n```\n");
        summary.equal().forEach(line -> text.append(line).append('\n'));
        text.append("```\n\n## Mean cost\n\nDollars for a run, and how many runs ended after");
        text.append(" their deadline.\nThe constants of our rule were chosen on every second");
        text.append(" region (`first half`).\n\n");
        table(text, summary);
        text.append("\n## Other overheads\n\nThe same runs with ");
        text.append(
                String.join(
                        ", ",
                        more.rows().stream()
                                .map(row -> row.given().overheadHours())
                                .distinct()
                                .toList()));
        text.append(" hours of overhead; no constant was chosen on them.\n\n");
        table(text, more);
        text.append("\n## By overhead and deadline\n\n| deadline | overhead |");
        DeadlineSummary.POLICIES.forEach(policy -> text.append(' ').append(policy).append(" |"));
        text.append("\n|---|---|").append("---|".repeat(DeadlineSummary.POLICIES.size()));
        text.append('\n');
        groups(text, summary);
        groups(text, more);
        return text.toString();
    }

    private static void table(StringBuilder text, DeadlineSummary summary) {
        Predicate<DeadlineCase> first = summary.chosenOn();
        text.append(
                "| policy | all | first half | second half | missed |\n|---|---|---|---|---|\n");
        for (String policy : DeadlineSummary.POLICIES) {
            text.append(
                    "| %s | %s | %s | %s | %d |%n"
                            .formatted(
                                    policy,
                                    summary.mean(policy, given -> true),
                                    summary.mean(policy, first),
                                    summary.mean(policy, first.negate()),
                                    summary.missed(policy, given -> true)));
        }
    }

    private static void groups(StringBuilder text, DeadlineSummary summary) {
        List<String> groups =
                summary.rows().stream().map(row -> group(row.given())).distinct().toList();
        for (String group : groups) {
            text.append("| ").append(group).append(" |");
            for (String policy : DeadlineSummary.POLICIES) {
                text.append(' ')
                        .append(summary.mean(policy, given -> group(given).equals(group)))
                        .append(" |");
            }
            text.append('\n');
        }
    }

    private static String group(DeadlineCase given) {
        return given.deadlineHours() + " h | " + given.overheadHours() + " h";
    }
}
