package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;

import java.util.Locale;

/// Describes the plan to meet the deadline of a job. Every text is empty for a job without one.
final class DeadlineText {
    private DeadlineText() {}

    /// `on demand`
    static String capacity(Json job) {
        return words(plan(job).at("capacity"));
    }

    /// `spot: runs on spot capacity; a slack of 3 h 0 min covers its loss`
    static String capacityAndReason(Json job) {
        String capacity = capacity(job);
        return capacity.isEmpty() ? "" : capacity + ": " + plan(job).at("reason").text();
    }

    /// `3h, work left 12h`; a negative slack is time that is missing.
    static String slack(Json job) {
        Json plan = plan(job);
        if (plan.at("slack_seconds").isNil()) {
            return "";
        }
        long slack = plan.at("slack_seconds").number(0);
        String left = CellText.seconds(plan.at("remaining_seconds"));
        String shown = CellText.seconds(Json.of(Math.abs(slack)));
        return (slack < 0 ? "-" : "")
                + (shown.isEmpty() ? "0s" : shown)
                + ", work left "
                + (left.isEmpty() ? "0s" : left)
                + (plan.at("at_risk").text().equals("true") ? "; the deadline is at risk" : "");
    }

    /// `spot $3.10, wait $3.25, on demand $9.00`
    static String costs(Json job) {
        Json plan = plan(job);
        String all =
                cost("spot", plan.at("spot_dollars"))
                        + cost("wait", plan.at("wait_dollars"))
                        + cost("on demand", plan.at("on_demand_dollars"));
        return all.isEmpty() ? "" : all.substring(2);
    }

    private static String cost(String what, Json dollars) {
        return dollars.isNil()
                ? ""
                : String.format(
                        Locale.ROOT, ", %s $%.2f", what, Double.parseDouble(dollars.text()));
    }

    /// `by 2026-11-20T08:00:00Z at the latest`
    static String latest(Json job) {
        Json plan = plan(job);
        String time = CellText.time(plan.at("latest_on_demand"));
        if (time.isEmpty()) {
            return "";
        }
        return plan.at("current").text().equals("spot")
                ? "if spot capacity is lost, by " + time + " at the latest"
                : "by " + time + " at the latest";
    }

    private static Json plan(Json job) {
        return job.at("deadline_plan");
    }

    private static String words(Json word) {
        return word.text().replace('_', ' ');
    }
}
