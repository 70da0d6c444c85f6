package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.TableLayout;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// The table of `gpu-cli pool shadow`: what was recorded beside what other laws would have done.
final class ShadowTable {
    private static final String UNKNOWN = "-";

    private ShadowTable() {}

    static TableLayout layout() {
        return new TableLayout(
                List.of("law"),
                List.of(
                        Column.of("LAW", "law"),
                        Column.of("ATTAINED", one -> figure(one, "attained_percent", " %")),
                        Column.of("GPU HOURS", one -> figure(one, "gpu_hours", "")),
                        Column.of("ADDED", "added"),
                        Column.of("REMOVED", "removed"),
                        Column.of("TTFT P50", one -> figure(one, "ttft_p50_seconds", "s")),
                        Column.of("P95", one -> figure(one, "ttft_p95_seconds", "s")),
                        Column.of("P99", one -> figure(one, "ttft_p99_seconds", "s")),
                        Column.of("COST $", one -> figure(one, "cost_dollars", ""))));
    }

    /// The record first, then the recorded law in the model, then the laws that were tried.
    static List<Json> rows(Json answer) {
        var rows = new ArrayList<Json>();
        Json recorded = answer.at("recorded");
        if (!recorded.isNil()) {
            var row = new LinkedHashMap<>(recorded.fields());
            row.put("law", Json.of("recorded"));
            rows.add(new Json.Fields(row));
            rows.add(answer.at("replayed"));
        }
        rows.addAll(answer.at("laws").items());
        return rows;
    }

    /// The span, and how far the model can be trusted.
    static List<String> remarks(Json answer) {
        var remarks = new ArrayList<String>();
        remarks.add(
                "%s to %s, %s requests"
                        .formatted(
                                CellText.time(answer.at("from")),
                                CellText.time(answer.at("to")),
                                answer.at("requests").text()));
        Json check = answer.at("check");
        if (check.at("trusted").equals(Json.of(true))) {
            remarks.add(
                    "the recorded law comes out as it was recorded, so the rest can be trusted");
        } else {
            remarks.add("this comparison cannot be trusted:");
            check.at("reasons").items().forEach(reason -> remarks.add("- " + reason.text()));
        }
        check.at("notes").items().forEach(note -> remarks.add("note: " + note.text()));
        return remarks;
    }

    private static String figure(Json row, String field, String unit) {
        return row.at(field) instanceof Json.Num(String literal)
                ? new BigDecimal(literal).setScale(2, RoundingMode.HALF_EVEN).toPlainString() + unit
                : UNKNOWN;
    }
}
