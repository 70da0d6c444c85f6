package io.gpusched.lab.carbon;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Writes the savings of the experiment, on the console and as a Markdown page.
public final class ScalerPage {
    private record Group(String zone, String profile, int deadline) implements Comparable<Group> {
        @Override
        public int compareTo(Group other) {
            int byZone = zone.compareTo(other.zone);
            int byProfile = profile.compareTo(other.profile);
            return byZone != 0 ? byZone : byProfile != 0 ? byProfile : deadline - other.deadline;
        }
    }

    private ScalerPage() {}

    /// The savings for each zone, profile and deadline, as lines of one table.
    public static List<String> savings(List<ScalerRow> rows) {
        var lines = new ArrayList<String>();
        lines.add(form("zone", "profile", "deadline", "jobs", "least %", "mean %", "most %"));
        groups(rows)
                .forEach(
                        (group, saved) ->
                                lines.add(
                                        form(
                                                group.zone,
                                                group.profile,
                                                group.deadline + " h",
                                                String.valueOf(saved.getCount()),
                                                shown(saved.getMin()),
                                                shown(saved.getAverage()),
                                                shown(saved.getMax()))));
        return lines;
    }

    public static String text(List<ScalerRow> expected, List<ScalerRow> found) {
        int equal = 0;
        for (int i = 0; i < found.size(); i++) {
            equal += found.get(i).equals(expected.get(i)) ? 1 : 0;
        }
        var text = new StringBuilder("# Carbon saved by scaling\n\n");
        text.append(
                "Written by `bin/lab carbon-scaler --data DIR --carbon DIR --report FILE`.\n\n");
        text.append("The rule of CarbonScaler (SIGMETRICS 2024), rerun: an elastic job with the");
        text.append(" work of one node in 24\nhours uses more nodes while power is clean. The");
        text.append(" saving is relative to one node that starts at\nonce. The schedules are");
        text.append(" made by `CarbonSchedule` of the production core.\n\n");
        text.append("equal **").append(equal).append(" of ").append(found.size());
        text.append("** schedules, with all digits of their emissions.\n\n");
        text.append(
                "| zone | profile | deadline (h) | jobs | least saving % | mean % | most % |\n");
        text.append("|---|---|---|---|---|---|---|\n");
        groups(found)
                .forEach(
                        (group, saved) ->
                                text.append(
                                        "| %s | %s | %d | %d | %s | %s | %s |%n"
                                                .formatted(
                                                        group.zone,
                                                        group.profile,
                                                        group.deadline,
                                                        saved.getCount(),
                                                        shown(saved.getMin()),
                                                        shown(saved.getAverage()),
                                                        shown(saved.getMax()))));
        return text.toString();
    }

    private static Map<Group, DoubleSummaryStatistics> groups(List<ScalerRow> rows) {
        var groups = new TreeMap<Group, DoubleSummaryStatistics>();
        for (ScalerRow row : rows) {
            groups.computeIfAbsent(
                            new Group(row.zone(), row.profile(), row.deadline()),
                            ignored -> new DoubleSummaryStatistics())
                    .accept(Double.parseDouble(row.saving()));
        }
        return groups;
    }

    private static String form(String... cells) {
        return String.format(Locale.ROOT, "%-12s %-10s %8s %5s %8s %8s %8s", (Object[]) cells);
    }

    private static String shown(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
