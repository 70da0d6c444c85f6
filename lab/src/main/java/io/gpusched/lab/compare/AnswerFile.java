package io.gpusched.lab.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.sim.metrics.Figures;
import io.gpusched.sim.metrics.Measured;
import io.gpusched.sim.metrics.Metric;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// An answer as a file, so that it need not be found again.
final class AnswerFile {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private AnswerFile() {}

    /// Whole or not at all: written aside, then renamed.
    static void write(Path file, Answer answer) throws IOException {
        Path aside = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(aside, text(answer));
        Files.move(
                aside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /// The answer to that very question; null when the file answers another, or cannot be read.
    static @Nullable Answer read(Path file, Question question) {
        try {
            JsonNode json = MAPPER.readTree(Files.readString(file));
            return question.print().equals(json.path("print").asText())
                    ? new Answer(question, measured(json))
                    : null;
        } catch (IOException | IllegalArgumentException unreadable) {
            return null;
        }
    }

    private static String text(Answer answer) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        Question question = answer.question();
        json.put("print", question.print());
        json.put("workload", question.course().name());
        json.put("policy", question.contestant().name());
        json.put("seed", question.seed());
        Measured measured = answer.measured();
        figures(json.putObject("all"), measured.all());
        ObjectNode tenants = json.putObject("tenants");
        measured.tenants().forEach((name, each) -> figures(tenants.putObject(name), each));
        numbers(json.putArray("wait_s"), measured.waits());
        numbers(json.putArray("completion_s"), measured.completions());
        json.put("step_s", measured.use().stepSeconds());
        numbers(json.putArray("allocation"), measured.use().allocation());
        numbers(json.putArray("utilisation"), measured.use().utilisation());
        numbers(json.putArray("waiting"), measured.use().waiting());
        ArrayNode bars = json.putArray("bars");
        for (Measured.Bar bar : measured.bars()) {
            bars.addArray()
                    .add(bar.node())
                    .add(bar.gpu())
                    .add(bar.gpus())
                    .add(bar.job())
                    .add(bar.tenant())
                    .add(bar.from())
                    .add(bar.to())
                    .add(bar.interrupted());
        }
        try {
            return MAPPER.writeValueAsString(json) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an answer cannot be written as JSON", e);
        }
    }

    static void figures(ObjectNode json, Figures figures) {
        for (Metric metric : Metric.values()) {
            if (figures.has(metric)) {
                json.put(metric.key(), figures.of(metric));
            }
        }
    }

    private static void numbers(ArrayNode json, List<Double> values) {
        values.forEach(json::add);
    }

    private static Measured measured(JsonNode json) {
        var tenants = new LinkedHashMap<String, Figures>();
        json.required("tenants")
                .properties()
                .forEach(entry -> tenants.put(entry.getKey(), figures(entry.getValue())));
        var bars = new ArrayList<Measured.Bar>();
        for (JsonNode bar : json.required("bars")) {
            bars.add(
                    new Measured.Bar(
                            bar.required(0).asText(),
                            bar.required(1).asInt(),
                            bar.required(2).asInt(),
                            bar.required(3).asLong(),
                            bar.required(4).asText(),
                            bar.required(5).asDouble(),
                            bar.required(6).asDouble(),
                            bar.required(7).asBoolean()));
        }
        return new Measured(
                figures(json.required("all")),
                tenants,
                numbers(json.required("wait_s")),
                numbers(json.required("completion_s")),
                new Measured.Use(
                        json.required("step_s").asDouble(),
                        numbers(json.required("allocation")),
                        numbers(json.required("utilisation")),
                        numbers(json.required("waiting"))),
                bars);
    }

    private static Figures figures(JsonNode json) {
        var figures = new Figures();
        for (Metric metric : Metric.values()) {
            if (json.has(metric.key())) {
                figures.put(metric, json.get(metric.key()).asDouble());
            }
        }
        return figures;
    }

    private static List<Double> numbers(JsonNode json) {
        var values = new ArrayList<Double>();
        json.forEach(value -> values.add(value.asDouble()));
        return values;
    }
}
