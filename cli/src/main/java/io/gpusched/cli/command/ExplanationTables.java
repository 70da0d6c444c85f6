package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.Printer;
import io.gpusched.cli.print.TableLayout;

import java.util.List;

/// The tables below an explanation, of a submitted job or of a dry run.
final class ExplanationTables {
    private ExplanationTables() {}

    static void print(Json answer, Printer printer) {
        printer.also("Refused by", answer.at("reasons").items(), reasons());
        printer.also("Held by", answer.at("holders").items(), holders());
        List<Json> changes = answer.at("changes").items();
        printer.also("Would start now with", changes, changes());
        boolean waits = answer.at("place").isNil() && !answer.at("reasons").items().isEmpty();
        if (waits && changes.isEmpty() && !answer.at("changes").isNil()) {
            printer.below("");
            printer.below("No smaller request was found that would start now.");
        }
        printer.also("Decided by", answer.at("score_terms").items(), terms());
    }

    /// `3 (2 ahead)`.
    static String position(Json answer) {
        Json ahead = answer.at("ahead");
        return ahead.isNil()
                ? answer.at("position").text()
                : answer.at("position").text() + " (" + ahead.text() + " ahead)";
    }

    /// Empty where the queue order alone decides.
    static String orderedBy(Json answer) {
        String model = answer.at("ordered_by").text();
        return model.isEmpty() ? "" : "model " + model + "; a job behind it may start first";
    }

    /// Names a time only where no estimate does: two times for one start would contradict each
    /// other.
    static String reserved(Json answer) {
        String from = CellText.time(answer.at("reserved_from"));
        if (from.isEmpty()) {
            return "";
        }
        if (!JobTables.startRange(answer).isEmpty()) {
            return "capacity is reserved for it";
        }
        String condition = answer.at("reserved_if").text();
        return "capacity is reserved for it from "
                + from
                + " at the latest"
                + (condition.isEmpty() ? "" : ", if " + condition);
    }

    private static TableLayout reasons() {
        return new TableLayout(
                List.of("by"),
                List.of(
                        Column.of("BY", "by"),
                        Column.of("NODES", "nodes"),
                        Column.of("WHY", "why"),
                        Column.of("LIFTED BY", "lifted_by")));
    }

    private static TableLayout holders() {
        return new TableLayout(
                List.of("job_id"),
                List.of(
                        Column.of(
                                "JOB",
                                h -> h.at("job_id").isNil() ? "(other)" : h.at("job_id").text()),
                        Column.of("TENANT", "tenant_id"),
                        Column.of("PRIORITY", "priority"),
                        Column.of("GPUs", "gpus"),
                        Column.of("CPUs", "cpu_cores").onlyWide(),
                        Column.of("EXPECTED END", ExplanationTables::end),
                        Column.of("PREEMPTION", ExplanationTables::preemption)));
    }

    /// Whether the holder's tenant lets its jobs be preempted.
    private static String preemption(Json holder) {
        return switch (holder.at("preemption_allowed").text()) {
            case "true" -> "allowed";
            case "false" -> "not allowed by its tenant";
            default -> "";
        };
    }

    /// Marks an end that is only assumed, and capacity that is reserved.
    private static String end(Json holder) {
        String end = CellText.time(holder.at("expected_end"));
        if (holder.at("promised").text().equals("true")) {
            return "reserved; expires " + end + " if unused";
        }
        return holder.at("end_is_assumed").text().equals("true") ? end + " (no limit)" : end;
    }

    private static TableLayout changes() {
        return new TableLayout(
                List.of("field"),
                List.of(
                        Column.of("CHANGE", "change"),
                        Column.of("PLACE", "place"),
                        Column.of("FIELD", "field").onlyWide(),
                        Column.of("FROM", "from").onlyWide(),
                        Column.of("TO", "to").onlyWide(),
                        Column.of("STOPS", "stops_jobs").onlyWide()));
    }

    private static TableLayout terms() {
        return new TableLayout(
                List.of("name"),
                List.of(
                        Column.of("TERM", term -> term.firstOf("name", "term").text()),
                        Column.of("WEIGHT", "weight"),
                        Column.of("COST", term -> term.firstOf("value", "score").text()),
                        Column.of("PART", "contribution"),
                        Column.of("NOTE", "note").onlyWide()));
    }
}
