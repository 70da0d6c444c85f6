package io.gpusched.wire.pool;

import io.gpusched.core.event.Problem;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.core.pool.QueueRule;
import io.gpusched.core.pool.Secret;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.Parsed;
import io.gpusched.wire.request.RequestFields;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Reads and writes the document of a binding of a queue to a pool. The connection is a secret: no
/// problem or warning quotes it.
public final class BindingRequest {
    static final List<String> PROVIDERS =
            List.of("redis", "rabbitmq", "nats", "kafka", "sqs", "prometheus", "pubsub", "sns");
    static final List<String> TYPES =
            List.of("queue", "topic", "webhook", "grpc", "http", "metric");

    private static final String HIDDEN = "***";
    private static final int LONGEST = 253;
    private static final int LONGEST_CONNECTION = 4_096;

    private BindingRequest() {}

    /// @param name the name in the path of the request; empty where the document names the binding
    /// @param before the connection to keep where the document has three asterisks
    public static Parsed<QueueBinding, Problem> read(
            JsonTree.Mapping body, String name, Secret before) {
        var problems = new ArrayList<Problem>();
        var fields = RequestFields.withQuotedNumbers("", body, problems);
        String id = PoolRequest.checkedName(fields, "name", fields.text("name", name, LONGEST));
        String pool = fields.text("pool", "", LONGEST);
        String type = word(fields, "type", TYPES, "queue");
        String provider = word(fields, "provider", PROVIDERS, "");
        Secret connection = connection(fields, before);
        boolean scales =
                fields.flag("autoscale", true)
                        && (fields.has("prefetch")
                                || fields.has("throughput")
                                || fields.has("max_lag"));
        QueueRule rule = ScalingReader.queue(fields, new ArrayList<>());
        var binding =
                new QueueBinding(
                        id,
                        PoolRequest.tenant(fields),
                        pool.isEmpty() ? null : new PoolId(pool),
                        type,
                        provider,
                        connection,
                        fields.text("queue", "", 2_048),
                        fields.text("group", "", LONGEST),
                        scales ? rule : null);
        return Parsed.of(binding, fields.unknown(), problems);
    }

    private static String word(RequestFields fields, String key, List<String> words, String usual) {
        String found = fields.text(key, usual, 32).strip().toLowerCase(Locale.ROOT);
        if (!found.isEmpty() && !words.contains(found)) {
            fields.problem(
                    key,
                    "%s must be one of %s, found \"%s\""
                            .formatted(key, String.join(", ", words), found),
                    "write one of these");
            return usual;
        }
        return found;
    }

    private static Secret connection(RequestFields fields, Secret before) {
        JsonTree found = fields.value("connection");
        if (found == null) {
            return Secret.NONE;
        }
        if (found instanceof JsonTree.Text(String text)
                && text.length() <= LONGEST_CONNECTION
                && text.indexOf('\0') < 0) {
            return text.equals(HIDDEN) ? before : new Secret(text);
        }
        fields.problem(
                "connection",
                "connection must be a text of at most " + LONGEST_CONNECTION + " characters",
                "write the connection string, env:NAME or file:PATH in double quotes");
        return Secret.NONE;
    }

    /// @param secrets whether the connection is shown; otherwise it is three asterisks
    public static JsonTree.Mapping document(QueueBinding binding, boolean secrets) {
        PoolId pool = binding.pool();
        QueueRule rule = binding.rule();
        var out =
                new TreeBuilder()
                        .put("name", binding.name())
                        .put("tenant_id", binding.tenant().name())
                        .put("pool", pool == null ? "" : pool.name())
                        .put("type", binding.type())
                        .put("provider", binding.provider())
                        .put(
                                "connection",
                                secrets
                                        ? binding.connection().text()
                                        : binding.connection().toString())
                        .put("queue", binding.queue())
                        .put("group", binding.group())
                        .put("autoscale", rule != null);
        if (rule != null) {
            out.put("prefetch", rule.prefetch())
                    .put("throughput", rule.milliThroughput(), 3)
                    .put("max_lag", rule.maxLag());
        }
        return out.build();
    }
}
