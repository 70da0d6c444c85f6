package io.gpusched.sim.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.function.Function;

/// One map of a scenario file, read strictly: readers ask for every key by name, [#end] refuses all
/// other keys, and every error names its place in the file.
final class YamlSection {
    /// Error messages show at most this much of a value.
    private static final int MOST_SHOWN = 80;

    private static final long MOST_AMOUNT = 1_000_000_000_000L;

    private final String where;
    private final ObjectNode fields;
    private final TreeSet<String> known = new TreeSet<>();

    YamlSection(String where, JsonNode fields) {
        this.where = where;
        if (!(fields instanceof ObjectNode object)) {
            throw new BadScenario(where, "expected keys and values, found " + kind(fields));
        }
        this.fields = object;
    }

    boolean has(String key) {
        known.add(key);
        return fields.hasNonNull(key);
    }

    String where(String key) {
        return where.isEmpty() ? key : where + "." + key;
    }

    BadScenario bad(String key, String message) {
        return new BadScenario(where(key), message);
    }

    String text(String key) {
        JsonNode value = required(key);
        if (!value.isValueNode()) {
            throw bad(key, "expected a text, found " + kind(value));
        }
        return value.asText();
    }

    /// A text that may serve as a name.
    String name(String key) {
        String name = text(key);
        if (name.isEmpty()) {
            throw bad(key, "expected a name, found an empty text");
        }
        return name;
    }

    String text(String key, String otherwise) {
        return has(key) ? text(key) : otherwise;
    }

    boolean flag(String key, boolean otherwise) {
        if (!has(key)) {
            return otherwise;
        }
        JsonNode value = required(key);
        if (!value.isBoolean()) {
            throw bad(key, "expected true or false, found " + value);
        }
        return value.asBoolean();
    }

    long whole(String key, long least, long otherwise) {
        if (!has(key)) {
            return otherwise;
        }
        JsonNode value = required(key);
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < least) {
            throw bad(key, "expected a whole number from " + least + ", found " + value);
        }
        return value.asLong();
    }

    /// A whole number whose thousandths fit into a long too.
    long amount(String key, long otherwise) {
        long value = whole(key, 0, otherwise);
        if (value > MOST_AMOUNT) {
            throw bad(key, "expected at most " + MOST_AMOUNT + ", found " + value);
        }
        return value;
    }

    int count(String key, int least, int otherwise) {
        return count(key, least, Integer.MAX_VALUE, otherwise);
    }

    int count(String key, int least, int most, int otherwise) {
        long value = whole(key, least, otherwise);
        if (value > most) {
            throw bad(key, "expected at most " + most + ", found " + value);
        }
        return (int) value;
    }

    double decimal(String key, double least, double most, double otherwise) {
        if (!has(key)) {
            return otherwise;
        }
        JsonNode value = required(key);
        if (!value.isNumber() || !(value.asDouble() >= least && value.asDouble() <= most)) {
            throw bad(key, "expected a number from " + least + " to " + most + ", found " + value);
        }
        return value.asDouble();
    }

    Duration duration(String key) {
        String text = text(key);
        Duration duration = ScenarioDurations.parse(text);
        if (duration == null) {
            throw bad(key, "expected a duration such as 90s, 15m or 1h30m, found " + text);
        }
        return duration;
    }

    Duration duration(String key, Duration otherwise) {
        return has(key) ? duration(key) : otherwise;
    }

    @Nullable Duration durationOrNull(String key) {
        return has(key) ? duration(key) : null;
    }

    /// The map under `key`, empty when it is absent.
    YamlSection section(String key) {
        return has(key) ? new YamlSection(where(key), required(key)) : nothing(key);
    }

    /// The maps listed under `key`; none when it is absent.
    List<YamlSection> sections(String key) {
        return list(key, (at, value) -> new YamlSection(at, value));
    }

    /// The texts under `key`: a list, or one text alone.
    List<String> texts(String key) {
        if (has(key) && required(key).isValueNode()) {
            return List.of(text(key));
        }
        return list(key, YamlSection::scalar);
    }

    SequencedMap<String, String> pairs(String key) {
        return map(key, YamlSection::scalar);
    }

    /// Values with weights, or one value alone.
    <T> SequencedMap<T, Double> weights(String key, Function<String, T> read, T otherwise) {
        var weights = new LinkedHashMap<T, Double>();
        if (!has(key) || required(key).isValueNode()) {
            weights.put(has(key) ? read.apply(text(key)) : otherwise, 1.0);
            return weights;
        }
        map(key, YamlSection::weight)
                .forEach((value, weight) -> weights.put(read.apply(value), weight));
        if (weights.isEmpty()) {
            throw bad(key, "expected values with weights, found none");
        }
        return weights;
    }

    /// Refuses every key that no reader asked for, and suggests the nearest known key.
    void end() {
        for (var names = fields.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!known.contains(name)) {
                throw bad(name, "unknown key; " + UnknownWord.advice(name, known));
            }
        }
    }

    private YamlSection nothing(String key) {
        return new YamlSection(where(key), fields.objectNode());
    }

    private JsonNode required(String key) {
        if (!has(key)) {
            throw new BadScenario(where, "needs the key " + key);
        }
        return fields.get(key);
    }

    private interface Reader<T> {
        T read(String where, JsonNode value);
    }

    private <T> List<T> list(String key, Reader<T> reader) {
        var list = new ArrayList<T>();
        if (has(key)) {
            if (!required(key).isArray()) {
                throw bad(key, "expected a list, found " + kind(required(key)));
            }
            for (JsonNode value : required(key)) {
                list.add(reader.read(where(key) + "[" + list.size() + "]", value));
            }
        }
        return list;
    }

    private <T> SequencedMap<String, T> map(String key, Reader<T> reader) {
        var map = new LinkedHashMap<String, T>();
        if (has(key)) {
            if (!(required(key) instanceof ObjectNode object)) {
                throw bad(key, "expected keys and values, found " + kind(required(key)));
            }
            object.properties()
                    .forEach(
                            pair ->
                                    map.put(
                                            pair.getKey(),
                                            reader.read(
                                                    where(key) + "." + pair.getKey(),
                                                    pair.getValue())));
        }
        return map;
    }

    private static String scalar(String where, JsonNode value) {
        if (!value.isValueNode() || value.isNull()) {
            throw new BadScenario(where, "expected a text, found " + kind(value));
        }
        return value.asText();
    }

    private static double weight(String where, JsonNode value) {
        if (!value.isNumber() || !(value.asDouble() > 0)) {
            throw new BadScenario(where, "expected a weight over 0, found " + value);
        }
        return value.asDouble();
    }

    private static String shortened(String text) {
        return text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "…" : text;
    }

    private static String kind(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "a list";
            case OBJECT, POJO -> "keys and values";
            case NULL, MISSING -> "nothing";
            case BINARY, BOOLEAN, NUMBER, STRING -> shortened(value.toString());
        };
    }
}
