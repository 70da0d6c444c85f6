package io.gpusched.server.monitoring;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// One panel of a dashboard.
///
/// @param unit as Grafana names it: `short`, `s`, `percentunit`, `bytes`, `ops`
/// @param steps colours from a value on; green below the first
public record Panel(
        String type,
        String title,
        String description,
        String unit,
        int width,
        List<Query> queries,
        Map<Double, String> steps,
        boolean stacked) {
    static final int HEIGHT = 8;
    static final int STAT_HEIGHT = 4;

    /// @param legend with labels as `{{label}}`
    public record Query(String expr, String legend) {}

    static Panel stat(String title, String description, String unit, String expr) {
        return new Panel(
                "stat", title, description, unit, 4, List.of(new Query(expr, "")), Map.of(), false);
    }

    static Panel lines(String title, String description, String unit, Query... queries) {
        return new Panel(
                "timeseries", title, description, unit, 12, List.of(queries), Map.of(), false);
    }

    /// The bars of one moment.
    static Panel bars(String title, String description, String unit, Query query) {
        return new Panel("bargauge", title, description, unit, 12, List.of(query), Map.of(), false);
    }

    /// The same panel, whose values have this colour from a value on.
    Panel from(double value, String colour) {
        var more = new TreeMap<>(steps);
        more.put(value, colour);
        return new Panel(type, title, description, unit, width, queries, more, stacked);
    }

    Panel stack() {
        return new Panel(type, title, description, unit, width, queries, steps, true);
    }

    int height() {
        return type.equals("stat") ? STAT_HEIGHT : HEIGHT;
    }

    ObjectNode json(int id, int x, int y) {
        ObjectNode panel = JsonNodeFactory.instance.objectNode();
        panel.put("id", id).put("type", type).put("title", title).put("description", description);
        panel.putObject("gridPos").put("h", height()).put("w", width).put("x", x).put("y", y);
        panel.set("datasource", Dashboard.datasource());
        panel.set("fieldConfig", fieldConfig());
        panel.set("options", options());
        ArrayNode targets = panel.putArray("targets");
        List<Query> all = new ArrayList<>(queries);
        for (int i = 0; i < all.size(); i++) {
            ObjectNode target = targets.addObject();
            target.put("refId", String.valueOf((char) ('A' + i)));
            target.set("datasource", Dashboard.datasource());
            target.put("expr", all.get(i).expr).put("legendFormat", all.get(i).legend);
            if (type.equals("bargauge")) {
                target.put("instant", true).put("range", false);
            }
        }
        return panel;
    }

    private ObjectNode fieldConfig() {
        ObjectNode config = JsonNodeFactory.instance.objectNode();
        ObjectNode defaults = config.putObject("defaults").put("unit", unit);
        if (unit.equals("percentunit")) {
            defaults.put("min", 0).put("max", 1);
        } else if (!type.equals("stat")) {
            defaults.put("min", 0);
        }
        if (type.equals("timeseries")) {
            ObjectNode custom = defaults.putObject("custom");
            custom.put("fillOpacity", stacked ? 30 : 8).put("showPoints", "never");
            custom.putObject("stacking").put("mode", stacked ? "normal" : "none");
            if (!steps.isEmpty()) {
                custom.putObject("thresholdsStyle").put("mode", "dashed");
            }
        }
        ObjectNode thresholds = defaults.putObject("thresholds").put("mode", "absolute");
        ArrayNode all = thresholds.putArray("steps");
        all.addObject().put("color", "green").putNull("value");
        steps.forEach((value, colour) -> all.addObject().put("color", colour).put("value", value));
        config.putArray("overrides");
        return config;
    }

    private ObjectNode options() {
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        if (type.equals("timeseries")) {
            options.putObject("legend")
                    .put("displayMode", "list")
                    .put("placement", "bottom")
                    .put("showLegend", true);
            options.putObject("tooltip").put("mode", "multi").put("sort", "desc");
            return options;
        }
        options.putObject("reduceOptions").putArray("calcs").add("lastNotNull");
        if (type.equals("stat")) {
            return options.put("colorMode", "value").put("graphMode", "area");
        }
        return options.put("orientation", "horizontal").put("displayMode", "basic");
    }
}
