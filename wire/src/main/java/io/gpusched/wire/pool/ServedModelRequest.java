package io.gpusched.wire.pool;

import io.gpusched.core.event.Problem;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.Parsed;
import io.gpusched.wire.request.RequestFields;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Reads and writes the document of a model that pools serve.
public final class ServedModelRequest {
    private static final int LONGEST = 253;
    private static final List<String> PRIORITIES = List.of("low", "medium", "high", "critical");
    private static final List<String> EVICTIONS = List.of("never", "idle", "low-priority");

    private ServedModelRequest() {}

    /// @param name the name in the path of the request; empty where the document names the model
    public static Parsed<ModelSpec, Problem> read(JsonTree.Mapping body, String name) {
        var problems = new ArrayList<Problem>();
        var warnings = new ArrayList<String>();
        var fields = RequestFields.withQuotedNumbers("", body, problems);
        String id = PoolRequest.checkedName(fields, "name", fields.text("name", name, LONGEST));
        var model =
                new ModelSpec(
                        id,
                        fields.text("uri", "", 2_048),
                        fields.whole("size_bytes", 0, 0, Long.MAX_VALUE),
                        fields.duration(
                                "load_seconds",
                                Duration.ZERO,
                                Duration.ofSeconds(1),
                                Duration.ofDays(1)),
                        priority(fields),
                        ModelSpec.Eviction.values()[word(fields, "eviction", EVICTIONS, 2)],
                        fields.duration(
                                "pin_seconds",
                                Duration.ZERO,
                                Duration.ofSeconds(1),
                                Duration.ofDays(366)),
                        fields.texts("preload_nodes", 10_000, LONGEST),
                        fields.text("smaller", "", LONGEST),
                        fields.text("larger", "", LONGEST));
        fields.value("status");
        warnings.addAll(fields.unknown());
        return Parsed.of(model, warnings, problems);
    }

    /// One of four words, or any number: models with a higher one stay longer.
    private static int priority(RequestFields fields) {
        return fields.value("cache_priority") instanceof JsonTree.Text(String text)
                        && !text.matches("[0-9]+")
                ? word(fields, "cache_priority", PRIORITIES, 1)
                : fields.integer("cache_priority", 1, 0, 1_000);
    }

    private static JsonTree priority(int number) {
        return number < PRIORITIES.size()
                ? new JsonTree.Text(PRIORITIES.get(number))
                : new JsonTree.Whole(number);
    }

    private static int word(RequestFields fields, String key, List<String> words, int usual) {
        String found = fields.text(key, words.get(usual), 32).toLowerCase(Locale.ROOT);
        int at = words.indexOf(found.strip().replace('_', '-'));
        if (at < 0) {
            fields.problem(
                    key,
                    "%s must be one of %s, found \"%s\""
                            .formatted(key, String.join(", ", words), found),
                    "leave it out for " + words.get(usual));
            return usual;
        }
        return at;
    }

    public static JsonTree.Mapping document(ModelSpec model) {
        return new TreeBuilder()
                .put("name", model.name())
                .put("uri", model.uri())
                .put("size_bytes", model.sizeBytes())
                .put("load_seconds", model.loadTime().toSeconds())
                .put("cache_priority", priority(model.cachePriority()))
                .put("eviction", EVICTIONS.get(model.eviction().ordinal()))
                .put("pin_seconds", model.pin().toSeconds())
                .put("preload_nodes", model.preloadNodes())
                .putUnlessEmpty("smaller", model.smaller())
                .putUnlessEmpty("larger", model.larger())
                .build();
    }
}
