package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.TableLayout;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// The tables of `gpu-cli pool`.
final class PoolTables {
    private PoolTables() {}

    static TableLayout list() {
        return new TableLayout(
                List.of("name"),
                List.of(
                        Column.of("POOL", "name"),
                        Column.of("PHASE", pool -> status(pool, "phase").text()),
                        Column.of("READY", PoolTables::ready),
                        Column.of("SIZE", PoolTables::bounds),
                        Column.of("TTFT P95", pool -> millis(status(pool, "ttft_p95_ms"))),
                        Column.of("SLO", pool -> percent(status(pool, "slo_percent"))),
                        Column.of("COST/H", pool -> dollars(status(pool, "cost_per_hour"))),
                        Column.of("REASON", pool -> status(pool, "reason").text()),
                        Column.of("TENANT", "tenant_id").onlyWide(),
                        Column.of("MODEL", "model").onlyWide(),
                        Column.of("LAW", pool -> pool.at("scaling").at("law").text()).onlyWide(),
                        Column.of("TOKENS/S", pool -> rounded(status(pool, "tokens_per_second")))
                                .onlyWide()));
    }

    static TableLayout detail() {
        return new TableLayout(
                List.of("name"),
                List.of(
                        Column.of("Pool", "name"),
                        Column.of("Tenant", "tenant_id"),
                        Column.of("Model", "model"),
                        Column.of("Phase", pool -> status(pool, "phase").text()),
                        Column.of("Replicas", PoolTables::counts),
                        Column.of("Updated", PoolTables::updated),
                        Column.of("Update", pool -> status(pool, "update").text()),
                        Column.of("Size", PoolTables::bounds),
                        Column.of("Law", pool -> pool.at("scaling").at("law").text()),
                        Column.of("Held at", pool -> status(pool, "held_at").text()),
                        Column.of("Rule", pool -> status(pool, "rule").text()),
                        Column.of("Reason", pool -> status(pool, "reason").text()),
                        Column.of("Decided", pool -> CellText.time(status(pool, "decided_at"))),
                        Column.of("SLO", PoolTables::slo),
                        Column.of("TTFT p95", pool -> millis(status(pool, "ttft_p95_ms"))),
                        Column.of("Within SLO", pool -> percent(status(pool, "slo_percent"))),
                        Column.of(
                                "Arrivals", pool -> perSecond(status(pool, "arrivals_per_second"))),
                        Column.of("Tokens", pool -> perSecond(status(pool, "tokens_per_second"))),
                        Column.of("Cost", pool -> perHour(status(pool, "cost_per_hour"))),
                        Column.of("Load data", PoolTables::stale)));
    }

    static TableLayout replicas() {
        return new TableLayout(
                List.of("job_id"),
                List.of(
                        Column.of("REPLICA", "number"),
                        Column.of("JOB", "job_id"),
                        Column.of("STATE", PoolTables::replicaState),
                        Column.of("NODE", "node_id"),
                        Column.of("ADDRESS", "address"),
                        Column.of("RUNNING", "running"),
                        Column.of("WAITING", "waiting"),
                        Column.of("KV", one -> fraction(one.at("kv"))),
                        Column.of("TTFT", one -> millis(one.at("ttft_ms"))),
                        Column.of("READY SINCE", one -> CellText.time(one.at("ready_since"))),
                        Column.of("SPOT", "spot").onlyWide(),
                        Column.of("MODEL CACHED", "model_cached").onlyWide()));
    }

    static TableLayout explanation() {
        return new TableLayout(
                List.of("pool"),
                List.of(
                        Column.of("Pool", "pool"),
                        Column.of("Size", "desired"),
                        Column.of("Rule", "rule"),
                        Column.of("Reason", "reason"),
                        Column.of("Why not more", "why_not_more"),
                        Column.of("Capacity", "capacity"),
                        Column.of("Trouble", "trouble"),
                        Column.of("Update", "update")));
    }

    /// The steps of an explanation as rows of a table.
    static List<Json> steps(Json answer) {
        return numbered(answer.at("steps"));
    }

    /// Where models and data of the replicas are, as rows of a table.
    static List<Json> locality(Json answer) {
        return numbered(answer.at("locality"));
    }

    private static List<Json> numbered(Json sentences) {
        var rows = new ArrayList<Json>();
        List<Json> steps = sentences.items();
        for (int i = 0; i < steps.size(); i++) {
            var row = new LinkedHashMap<String, Json>();
            row.put("number", Json.of(i + 1L));
            row.put("step", steps.get(i));
            rows.add(new Json.Fields(row));
        }
        return rows;
    }

    static TableLayout factLayout() {
        return new TableLayout(
                List.of("number"), List.of(Column.of("NO", "number"), Column.of("FACT", "step")));
    }

    static TableLayout stepLayout() {
        return new TableLayout(
                List.of("number"), List.of(Column.of("NO", "number"), Column.of("STEP", "step")));
    }

    static TableLayout waiting() {
        return new TableLayout(
                List.of("job_id"),
                List.of(Column.of("JOB", "job_id"), Column.of("WHY IT WAITS", "summary")));
    }

    static TableLayout changes() {
        return new TableLayout(
                List.of("at"),
                List.of(
                        Column.of("AT", one -> CellText.time(one.at("at"))),
                        Column.of("FROM", "from"),
                        Column.of("TO", "to"),
                        Column.of("RULE", "rule"),
                        Column.of("REASON", "reason")));
    }

    /// The series of a history as rows of a table, one for each step.
    static List<Json> rows(Json answer) {
        var rows = new ArrayList<Json>();
        List<Json> times = answer.at("times").items();
        for (int i = 0; i < times.size(); i++) {
            var row = new LinkedHashMap<String, Json>();
            row.put("at", Json.of(Instant.ofEpochSecond(times.get(i).number(0)).toString()));
            int step = i;
            answer.at("series")
                    .fields()
                    .forEach((name, figures) -> row.put(name, figures.items().get(step)));
            rows.add(new Json.Fields(row));
        }
        return rows;
    }

    static TableLayout history() {
        return new TableLayout(
                List.of("at"),
                List.of(
                        Column.of("AT", "at"),
                        Column.of("REPLICAS", one -> rounded(one.at("replicas"))),
                        Column.of("READY", one -> rounded(one.at("ready"))),
                        Column.of("ARRIVALS/S", one -> rounded(one.at("arrivals"))),
                        Column.of("TTFT P95", one -> millis(one.at("ttft_p95_ms"))),
                        Column.of("SLO", one -> percent(one.at("slo_percent"))),
                        Column.of("TOKENS/S", one -> rounded(one.at("tokens_per_second"))),
                        Column.of("COST/H", one -> dollars(one.at("cost_per_hour")))));
    }

    private static Json status(Json pool, String field) {
        return pool.at("status").at(field);
    }

    private static String ready(Json pool) {
        String warm = status(pool, "warm").number(0) > 0 ? status(pool, "warm").text() : "";
        return status(pool, "ready").text()
                + "/"
                + status(pool, "desired").text()
                + (warm.isEmpty() ? "" : " (" + warm + " warm)");
    }

    private static String replicaState(Json replica) {
        boolean warm = replica.at("warm").equals(Json.of(true));
        return warm ? "warm" : replica.at("state").text();
    }

    private static String bounds(Json pool) {
        return pool.at("min_replicas").text() + ".." + pool.at("max_replicas").text();
    }

    private static String counts(Json pool) {
        var parts = new ArrayList<String>();
        parts.add(status(pool, "ready").text() + " ready of " + status(pool, "desired").text());
        for (String state : List.of("warm", "starting", "waiting", "draining")) {
            if (status(pool, state).number(0) > 0) {
                parts.add(status(pool, state).text() + " " + state);
            }
        }
        return String.join(", ", parts);
    }

    private static String updated(Json pool) {
        return status(pool, "updated").isNil()
                ? ""
                : status(pool, "updated").text() + " of " + status(pool, "desired").text();
    }

    private static String slo(Json pool) {
        Json slo = pool.at("slo");
        if (slo.isNil()) {
            return "";
        }
        var parts = new ArrayList<String>();
        if (!slo.at("ttft_ms").isNil()) {
            parts.add("first token in " + millis(slo.at("ttft_ms")));
        }
        if (!slo.at("itl_ms").isNil()) {
            parts.add("next tokens every " + millis(slo.at("itl_ms")));
        }
        if (!slo.at("tokens_per_second").isNil()) {
            parts.add(slo.at("tokens_per_second").text() + " tokens/s");
        }
        return String.join(", ", parts) + " for " + slo.at("percent").text() + " %";
    }

    private static String stale(Json pool) {
        return status(pool, "stale").equals(Json.of(true)) ? "stale: the size stays as it is" : "";
    }

    private static String millis(Json number) {
        return number.isNil() ? "" : rounded(number) + " ms";
    }

    private static String percent(Json number) {
        return number.isNil() ? "" : rounded(number) + " %";
    }

    private static String fraction(Json number) {
        return number instanceof Json.Num(String literal)
                ? new BigDecimal(literal).movePointRight(2).setScale(0, RoundingMode.HALF_EVEN)
                        + " %"
                : "";
    }

    private static String dollars(Json number) {
        return number instanceof Json.Num(String literal)
                ? "$" + new BigDecimal(literal).setScale(2, RoundingMode.HALF_EVEN).toPlainString()
                : "";
    }

    private static String perHour(Json number) {
        return number.isNil() ? "" : dollars(number) + " per hour";
    }

    private static String perSecond(Json number) {
        return number.isNil() ? "" : rounded(number) + " per second";
    }

    /// At most one decimal.
    private static String rounded(Json number) {
        return number instanceof Json.Num(String literal)
                ? new BigDecimal(literal)
                        .setScale(1, RoundingMode.HALF_EVEN)
                        .stripTrailingZeros()
                        .toPlainString()
                : "";
    }
}
