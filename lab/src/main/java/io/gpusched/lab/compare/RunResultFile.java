package io.gpusched.lab.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.sim.metrics.Metric;
import io.gpusched.sim.metrics.MetricValues;
import io.gpusched.sim.metrics.RunMeasurements;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Keeps the result of a run in a file, so that the run need not be repeated.
final class RunResultFile {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private RunResultFile() {}

    /// Writes the file atomically: to a temporary name, then a rename.
    static void write(Path file, RunResult runResult) throws IOException {
        Path aside = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(aside, text(runResult));
        Files.move(
                aside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /// The result of exactly this run; null if the file belongs to another run or cannot be read.
    static @Nullable RunResult read(Path file, PolicyRun policyRun) {
        try {
            JsonNode json = MAPPER.readTree(Files.readString(file));
            return policyRun.print().equals(json.path("print").asText())
                    ? new RunResult(policyRun, measured(json))
                    : null;
        } catch (IOException | IllegalArgumentException unreadable) {
            return null;
        }
    }

    private static String text(RunResult runResult) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        PolicyRun policyRun = runResult.policyRun();
        json.put("print", policyRun.print());
        json.put("workload", policyRun.labWorkload().name());
        json.put("policy", policyRun.policyVariant().name());
        json.put("seed", policyRun.seed());
        RunMeasurements runMeasurements = runResult.runMeasurements();
        figures(json.putObject("all"), runMeasurements.all());
        ObjectNode tenants = json.putObject("tenants");
        runMeasurements.tenants().forEach((name, each) -> figures(tenants.putObject(name), each));
        numbers(json.putArray("wait_s"), runMeasurements.waits());
        numbers(json.putArray("completion_s"), runMeasurements.completions());
        json.put("step_s", runMeasurements.use().stepSeconds());
        numbers(json.putArray("allocation"), runMeasurements.use().allocation());
        numbers(json.putArray("utilisation"), runMeasurements.use().utilisation());
        numbers(json.putArray("waiting"), runMeasurements.use().waiting());
        ArrayNode bars = json.putArray("bars");
        for (RunMeasurements.Bar bar : runMeasurements.bars()) {
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

    static void figures(ObjectNode json, MetricValues metricValues) {
        for (Metric metric : Metric.values()) {
            if (metricValues.has(metric)) {
                json.put(metric.key(), metricValues.of(metric));
            }
        }
    }

    private static void numbers(ArrayNode json, List<Double> values) {
        values.forEach(json::add);
    }

    private static RunMeasurements measured(JsonNode json) {
        var tenants = new LinkedHashMap<String, MetricValues>();
        json.required("tenants")
                .properties()
                .forEach(entry -> tenants.put(entry.getKey(), figures(entry.getValue())));
        var bars = new ArrayList<RunMeasurements.Bar>();
        for (JsonNode bar : json.required("bars")) {
            bars.add(
                    new RunMeasurements.Bar(
                            bar.required(0).asText(),
                            bar.required(1).asInt(),
                            bar.required(2).asInt(),
                            bar.required(3).asLong(),
                            bar.required(4).asText(),
                            bar.required(5).asDouble(),
                            bar.required(6).asDouble(),
                            bar.required(7).asBoolean()));
        }
        return new RunMeasurements(
                figures(json.required("all")),
                tenants,
                numbers(json.required("wait_s")),
                numbers(json.required("completion_s")),
                new RunMeasurements.Use(
                        json.required("step_s").asDouble(),
                        numbers(json.required("allocation")),
                        numbers(json.required("utilisation")),
                        numbers(json.required("waiting"))),
                bars);
    }

    private static MetricValues figures(JsonNode json) {
        var metricValues = new MetricValues();
        for (Metric metric : Metric.values()) {
            if (json.has(metric.key())) {
                metricValues.put(metric, json.get(metric.key()).asDouble());
            }
        }
        return metricValues;
    }

    private static List<Double> numbers(JsonNode json) {
        var values = new ArrayList<Double>();
        json.forEach(value -> values.add(value.asDouble()));
        return values;
    }
}
