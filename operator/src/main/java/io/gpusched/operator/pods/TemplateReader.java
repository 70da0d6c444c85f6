package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.util.List;

/// Reads what the pods of a template will ask for, by the rules for pods.
public final class TemplateReader {
    private final PodReader reader;

    public TemplateReader(ClusterObjects objects) {
        this.reader = new PodReader(objects);
    }

    /// What one pod asks for.
    ///
    /// @param shape in the fields of a submission; empty where there is a problem
    /// @param labels keys of node labels that the scheduler must know
    /// @param notes what is not honoured, for the user
    /// @param problem why the pods cannot be placed as things are; empty if they can
    public record Shape(
            ObjectNode shape, List<String> labels, List<String> notes, String problem) {}

    /// @param template as in a Job: metadata and spec
    public Shape read(JsonNode template, String namespace) {
        ObjectNode pod = JsonNodeFactory.instance.objectNode();
        pod.putObject("metadata").put("namespace", namespace);
        pod.set("spec", template.path("spec"));
        return switch (reader.read(pod)) {
            case PodReading.Demand(var shape, var labels, var notes) ->
                    new Shape(shape, labels, notes, "");
            case PodReading.Waits(String why) -> problem(why);
            case PodReading.Refused(String why) -> problem(why);
        };
    }

    private static Shape problem(String why) {
        return new Shape(JsonNodeFactory.instance.objectNode(), List.of(), List.of(), why);
    }
}
