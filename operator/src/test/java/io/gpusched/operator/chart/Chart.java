package io.gpusched.operator.chart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/// The chart of this checkout, rendered for the release `try` in the namespace `gpu`.
final class Chart {
    private static final YAMLMapper YAML = new YAMLMapper();

    private final KubeTools tools = KubeTools.found();
    private final Path home;

    Chart(Path home) {
        this.home = home;
    }

    /// The root of the checkout.
    static Path root() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("bin/lib/launch.sh"))) {
            root = Objects.requireNonNull(root.getParent(), "not in a checkout");
        }
        return root;
    }

    static Path folder() {
        return root().resolve("deploy/helm/gpu-scheduler");
    }

    /// The files with values under `deploy/helm/tests`.
    static List<Path> cases() {
        try (Stream<Path> files = Files.list(root().resolve("deploy/helm/tests"))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    KubeTools.Ended template(String... more) {
        return helm("template", more);
    }

    KubeTools.Ended lint(String... more) {
        var arguments = new ArrayList<>(List.of("lint", folder().toString(), "--strict"));
        arguments.addAll(Arrays.asList(more));
        return tools.run(home, "helm", arguments);
    }

    private KubeTools.Ended helm(String verb, String... more) {
        var arguments =
                new ArrayList<>(List.of(verb, "try", folder().toString(), "--namespace", "gpu"));
        arguments.addAll(Arrays.asList(more));
        return tools.run(home, "helm", arguments);
    }

    /// The objects that come of a file with values.
    List<JsonNode> objects(Path values) {
        return objects("--values", values.toString());
    }

    List<JsonNode> objects(String... more) {
        return read(template(more).succeeded().out());
    }

    static List<JsonNode> read(String yaml) {
        try {
            List<JsonNode> all =
                    YAML.readerFor(JsonNode.class)
                            .<JsonNode>readValues(new YAMLFactory().createParser(yaml))
                            .readAll();
            return all.stream().filter(JsonNode::isObject).toList();
        } catch (IOException e) {
            throw new AssertionError("not YAML", e);
        }
    }

    static JsonNode one(List<JsonNode> objects, String kind, String name) {
        return objects.stream()
                .filter(each -> each.path("kind").asText().equals(kind))
                .filter(each -> each.at("/metadata/name").asText().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind + " " + name));
    }
}
