package io.gpusched.server.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A dashboard: panels from left to right, in the order of the list. The data source is a variable,
/// so that the file can be imported anywhere.
///
/// @param name part of the file name and of the uid
/// @param byTenant whether the reader can choose tenants
public record Dashboard(
        String name, String title, String description, boolean byTenant, List<Panel> panels) {
    private static final int SCHEMA = 39;
    private static final int COLUMNS = 24;
    private static final int WIDEST_LINE = 118;

    static ObjectNode datasource() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", "prometheus")
                .put("uid", "${datasource}");
    }

    public String file() {
        return name + ".json";
    }

    ObjectNode json() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.putNull("id").put("uid", "gpu-scheduler-" + name);
        root.put("title", "gpu-scheduler: " + title).put("description", description);
        root.putArray("tags").add("gpu-scheduler");
        root.put("schemaVersion", SCHEMA).put("version", 1).put("editable", true);
        root.put("graphTooltip", 1).put("timezone", "browser").put("refresh", "30s");
        root.putObject("time").put("from", "now-6h").put("to", "now");
        root.putObject("annotations").putArray("list");
        links(root.putArray("links"));
        variables(root.putObject("templating").putArray("list"));
        ArrayNode out = root.putArray("panels");
        int x = 0;
        int y = 0;
        int height = 0;
        for (int i = 0; i < panels.size(); i++) {
            Panel panel = panels.get(i);
            if (x + panel.width() > COLUMNS || height != 0 && height != panel.height()) {
                x = 0;
                y += height;
            }
            height = panel.height();
            out.add(panel.json(i + 1, x, y));
            x += panel.width();
        }
        return root;
    }

    private static void links(ArrayNode links) {
        links.addObject()
                .put("title", "gpu-scheduler")
                .put("type", "dashboards")
                .put("asDropdown", true)
                .put("includeVars", true)
                .put("keepTime", true)
                .putArray("tags")
                .add("gpu-scheduler");
    }

    private void variables(ArrayNode list) {
        list.addObject()
                .put("name", "datasource")
                .put("label", "Data source")
                .put("type", "datasource")
                .put("query", "prometheus");
        query(list, "instance", "Scheduler", "label_values(gpu_scheduler_gpus, instance)");
        if (byTenant) {
            query(
                    list,
                    "tenant",
                    "Tenant",
                    "label_values(gpu_scheduler_tenant_share{instance=~\"$instance\"}, tenant)");
        }
    }

    private static void query(ArrayNode list, String name, String label, String query) {
        ObjectNode variable = list.addObject();
        variable.put("name", name).put("label", label).put("type", "query");
        variable.set("datasource", datasource());
        variable.putObject("query").put("query", query).put("refId", name);
        variable.put("definition", query).put("refresh", 2).put("sort", 1);
        variable.put("multi", true).put("includeAll", true).put("allValue", ".*");
        variable.putObject("current").put("text", "All").put("value", "$__all");
    }

    /// The dashboard as it is committed: what fits on a line is on one line.
    public String text() {
        return written(json(), 0) + "\n";
    }

    private static String written(JsonNode node, int depth) {
        String line = node.toString();
        if (!node.isContainerNode() || depth > 0 && line.length() + 2 * depth <= WIDEST_LINE) {
            return line;
        }
        String indent = "  ".repeat(depth + 1);
        List<String> parts = new ArrayList<>();
        if (node.isObject()) {
            node.properties()
                    .forEach(
                            field ->
                                    parts.add(
                                            indent
                                                    + '"'
                                                    + field.getKey()
                                                    + "\": "
                                                    + written(field.getValue(), depth + 1)));
        } else {
            node.forEach(item -> parts.add(indent + written(item, depth + 1)));
        }
        return parts.stream()
                .collect(
                        Collectors.joining(
                                ",\n",
                                node.isObject() ? "{\n" : "[\n",
                                "\n" + "  ".repeat(depth) + (node.isObject() ? "}" : "]")));
    }
}
