package io.gpusched.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Results as JSON, for programs that compare one day with another.
final class ResultJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ResultJson() {}

    static String write(List<Result> results) {
        var all = JSON.createArrayNode();
        for (Result result : results) {
            ObjectNode one = all.addObject();
            one.put("bench", result.bench());
            one.put("title", result.title());
            one.put("how", result.how());
            one.put("measured", result.measured().toString());
            write(result.machineDescription(), one.putObject("machine"));
            var figures = one.putArray("figures");
            result.figures().forEach(figure -> write(figure, figures.addObject()));
        }
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values can always be written", e);
        }
    }

    private static void write(MachineDescription machineDescription, ObjectNode into) {
        into.put("cores", machineDescription.cores());
        into.put("processor", machineDescription.processor());
        into.put("memory_mib", machineDescription.memoryMiB());
        into.put("kernel", machineDescription.kernel());
        into.put("jdk", machineDescription.jdk());
        into.put("load", machineDescription.load());
    }

    private static void write(Figure figure, ObjectNode into) {
        into.put("name", figure.name());
        into.put("value", figure.value());
        into.put("unit", figure.unit());
        switch (figure.target()) {
            case Target.None none -> {}
            case Target.AtLeast least -> into.put("at_least", least.bound());
            case Target.AtMost most -> into.put("at_most", most.bound());
        }
        if (!(figure.target() instanceof Target.None)) {
            into.put("reached", figure.reached());
        }
        if (!figure.note().isEmpty()) {
            into.put("note", figure.note());
        }
    }

    static List<Result> read(String text) throws JsonProcessingException {
        var results = new ArrayList<Result>();
        for (JsonNode one : JSON.readTree(text)) {
            var figures = new ArrayList<Figure>();
            one.path("figures").forEach(figure -> figures.add(figure(figure)));
            results.add(
                    new Result(
                            one.path("bench").asText(),
                            one.path("title").asText(),
                            one.path("how").asText(),
                            Instant.parse(one.path("measured").asText()),
                            machine(one.path("machine")),
                            figures));
        }
        return results;
    }

    private static MachineDescription machine(JsonNode from) {
        return new MachineDescription(
                from.path("cores").asInt(),
                from.path("processor").asText(),
                from.path("memory_mib").asLong(),
                from.path("kernel").asText(),
                from.path("jdk").asText(),
                from.path("load").asDouble());
    }

    private static Figure figure(JsonNode from) {
        Target target = Target.none();
        if (from.has("at_least")) {
            target = Target.atLeast(from.path("at_least").asDouble());
        } else if (from.has("at_most")) {
            target = Target.atMost(from.path("at_most").asDouble());
        }
        return new Figure(
                from.path("name").asText(),
                from.path("value").asDouble(),
                from.path("unit").asText(),
                target,
                from.path("note").asText());
    }
}
