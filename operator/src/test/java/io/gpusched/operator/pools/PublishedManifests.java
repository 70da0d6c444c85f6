package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The definitions in `deploy/crds`, and manifests that they must take.
final class PublishedManifests {
    static final Path DEFINITIONS = Path.of("..", "deploy", "crds");

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final Path OURS =
            Path.of("..", "wire", "src", "test", "resources", "manifests", "blocks.md");
    private static final Path ODD = Path.of("src", "test", "resources", "manifests", "odd.yaml");
    private static final Path GUIDES = Path.of("..", "..", "shared", "seeds");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```yaml\\n(.*?)^```$");

    private PublishedManifests() {}

    /// The definitions by the kind that they define.
    static Map<String, JsonNode> definitions() {
        var found = new TreeMap<String, JsonNode>();
        try (var files = Files.newDirectoryStream(DEFINITIONS, "*.yaml")) {
            for (Path file : files) {
                JsonNode crd = YAML.readTree(Files.readString(file));
                found.put(crd.at("/spec/names/kind").asText(), crd);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    static JsonNode definition(String kind) {
        return Objects.requireNonNull(definitions().get(kind), kind);
    }

    /// Our own blocks of a guide that are whole manifests.
    static List<String> blocks() {
        return wholeBlocks(read(OURS));
    }

    static String odd() {
        return read(ODD);
    }

    /// The whole manifests of the guide that is published with the kinds; empty where it is not
    /// beside the project.
    static List<String> guide() {
        if (!Files.isDirectory(GUIDES)) {
            return List.of();
        }
        try (var files = Files.newDirectoryStream(GUIDES, "001_*")) {
            return wholeBlocks(read(files.iterator().next()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> wholeBlocks(String guide) {
        return BLOCK.matcher(guide)
                .results()
                .map(found -> found.group(1))
                .filter(block -> block.contains("kind:"))
                .toList();
    }

    /// The documents of a text.
    static List<ObjectNode> documents(String text) {
        var all = new ArrayList<ObjectNode>();
        try (var values = YAML.readerFor(ObjectNode.class).<ObjectNode>readValues(text)) {
            values.forEachRemaining(all::add);
        } catch (IOException e) {
            throw new UncheckedIOException(text, e);
        }
        return all;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
