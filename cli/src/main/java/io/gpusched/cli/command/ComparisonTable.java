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
import java.util.Map;
import java.util.function.Function;

/// A table of the metrics of two policies side by side, one row per tenant.
final class ComparisonTable {
    private ComparisonTable() {}

    /// One row for each tenant, and one for all tenants together.
    static List<Json> rows(Json was, Json would) {
        var rows = new ArrayList<Json>();
        var names = new LinkedHashMap<String, Json>(was.at("tenants").fields());
        would.at("tenants").fields().forEach(names::putIfAbsent);
        for (String tenant : names.keySet()) {
            rows.add(row(tenant, was.at("tenants").at(tenant), would.at("tenants").at(tenant)));
        }
        rows.add(row("(all)", was.at("all"), would.at("all")));
        return rows;
    }

    private static Json row(String tenant, Json was, Json would) {
        return new Json.Fields(Map.of("tenant_id", Json.of(tenant), "was", was, "would", would));
    }

    static TableLayout tableLayout() {
        return new TableLayout(
                List.of("tenant_id"),
                List.of(
                        Column.of("TENANT", "tenant_id"),
                        Column.of("JOBS", row -> row.at("was").at("jobs").text()),
                        both("WAIT", "wait_mean_seconds", CellText::seconds),
                        both("WAIT P90", "wait_p90_seconds", CellText::seconds),
                        both("COMPLETION", "completion_mean_seconds", CellText::seconds),
                        both("EVICTIONS", "evictions", Json::text),
                        both("GPU HOURS", "gpu_hours", ComparisonTable::rounded),
                        both("COST $", "cost_dollars", ComparisonTable::rounded),
                        both("ENERGY kWh", "energy_kwh", ComparisonTable::rounded),
                        both("SERVED", "served", ComparisonTable::rounded).onlyWide()));
    }

    private static Column both(String title, String field, Function<Json, String> shown) {
        return Column.of(
                title,
                row ->
                        shown.apply(row.at("was").at(field))
                                + " → "
                                + shown.apply(row.at("would").at(field)));
    }

    /// `12 earlier, 3 later, 40 at the same time; fairness 0.81 → 0.93`
    static String summary(Json starts, Json was, Json would) {
        return starts.at("earlier").text()
                + (starts.at("earlier").text().equals("1") ? " job" : " jobs")
                + " earlier, "
                + starts.at("later").text()
                + " later, "
                + starts.at("same").text()
                + " at the same time; fairness "
                + rounded(was.at("jain"))
                + " → "
                + rounded(would.at("jain"));
    }

    static String rounded(Json figure) {
        try {
            return new BigDecimal(figure.text())
                    .setScale(2, RoundingMode.HALF_UP)
                    .stripTrailingZeros()
                    .toPlainString();
        } catch (NumberFormatException notANumber) {
            return figure.text();
        }
    }
}
