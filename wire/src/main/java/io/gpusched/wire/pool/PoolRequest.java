package io.gpusched.wire.pool;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.Slo;
import io.gpusched.wire.request.JobRequest;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.Parsed;
import io.gpusched.wire.request.RequestFields;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Pattern;

/// Reads the document of a pool. `replica` has the fields of a job submission. Every problem names
/// its field, unknown fields are warned about, and numbers may be written as texts.
///
///     {"name": "chat", "model": "llama-8b", "max_replicas": 8, "slo": {"ttft_ms": 500},
///      "replica": {"gpu_count": 1, "command": ["serve"]}}
///
/// Any thread may use it.
public final class PoolRequest {
    /// The most replicas of one pool.
    public static final int MOST_REPLICAS = 10_000;

    private static final int USUAL_MOST = 4;
    private static final int MOST_MILLIS = 3_600_000;
    private static final int LONGEST_NAME = 63;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,62})");

    private final JobRequest jobs = new JobRequest();

    /// Reads a whole document.
    ///
    /// @param name the name in the path of the request; empty where the document names the pool
    public Parsed<Pool, Problem> read(
            JsonTree.Mapping body, String name, JobRequest.Context context) {
        var problems = new ArrayList<Problem>();
        var warnings = new ArrayList<String>();
        var fields = RequestFields.withQuotedNumbers("", body, problems);
        String id = name(fields, name);
        TenantId tenant = tenant(fields);
        String model = fields.text("model", "", LONGEST_NAME * 4);
        JobSpec replica = replica(fields, tenant, id, context, problems, warnings);
        int min = fields.integer("min_replicas", 1, 0, MOST_REPLICAS);
        int max = fields.integer("max_replicas", Math.max(USUAL_MOST, min), 1, MOST_REPLICAS);
        if (min > max) {
            fields.problem(
                    "min_replicas",
                    "min_replicas is %d, which is more than max_replicas, %d".formatted(min, max),
                    "raise max_replicas to at least %d, or lower min_replicas".formatted(min));
        }
        int warm = fields.integer("warm_percent", 0, 0, 100);
        Slo slo = slo(fields, warnings);
        ScalingRules scaling = new ScalingReader(warnings).read(fields.object("scaling"), slo);
        var rules = new RulesReader(warnings);
        var cost = rules.cost(fields.object("cost"));
        var carbon = rules.carbon(fields.object("carbon"));
        var locality = rules.locality(fields.object("locality"));
        var serving = rules.serving(fields.object("serving"), max);
        fields.value("status");
        warnings.addAll(fields.unknown());
        if (!problems.isEmpty() || replica == null) {
            return new Parsed.Invalid<>(problems);
        }
        return new Parsed.Valid<>(
                new Pool(
                        new PoolId(id),
                        model,
                        replica,
                        min,
                        max,
                        warm,
                        slo,
                        scaling,
                        cost,
                        carbon,
                        locality,
                        serving),
                warnings);
    }

    /// Changes the fields that the patch names and keeps the others. An object is merged with the
    /// present one, a list is replaced, and null takes the usual value.
    public Parsed<Pool, Problem> change(
            Pool before, JsonTree.Mapping patch, JobRequest.Context context) {
        return read(merged(PoolDocument.of(before), patch), before.id().name(), context);
    }

    private static JsonTree.Mapping merged(JsonTree.Mapping before, JsonTree.Mapping patch) {
        var all = new LinkedHashMap<>(before.entries());
        patch.entries()
                .forEach(
                        (key, value) -> {
                            if (value instanceof JsonTree.Nothing) {
                                all.remove(key);
                            } else if (value instanceof JsonTree.Mapping change
                                    && all.get(key) instanceof JsonTree.Mapping present) {
                                all.put(key, merged(present, change));
                            } else {
                                all.put(key, value);
                            }
                        });
        return new JsonTree.Mapping(all);
    }

    private static String name(RequestFields fields, String path) {
        String name = fields.text("name", path, LONGEST_NAME * 4);
        if (!path.isEmpty() && !name.equals(path)) {
            fields.problem(
                    "name",
                    "name is \"%s\" in the document and \"%s\" in the path".formatted(name, path),
                    "leave it out of the document, or use the same name");
            return path;
        }
        return checkedName(fields, "name", name);
    }

    /// A name of a pool, model, class or binding; a problem if it cannot be one.
    public static String checkedName(RequestFields fields, String key, String name) {
        if (!NAME.matcher(name).matches()) {
            fields.problem(
                    key,
                    name.isEmpty()
                            ? "a name is missing"
                            : "a name must be 1 to %d letters, digits, dots, dashes or underscores, found %s"
                                    .formatted(LONGEST_NAME, new JsonTree.Text(name).shown()),
                    "write a name such as chat-llama");
            return "unnamed";
        }
        return name;
    }

    static TenantId tenant(RequestFields fields) {
        String tenant = fields.text("tenant_id", Tenant.DEFAULT.name(), LONGEST_NAME * 4);
        if (tenant.isEmpty()) {
            fields.problem(
                    "tenant_id",
                    "tenant_id is empty",
                    "name a tenant, or leave it out for " + Tenant.DEFAULT);
            return Tenant.DEFAULT;
        }
        return new TenantId(tenant);
    }

    /// What a replica asks for; null if there are problems. Its name and kind are those of the pool
    /// unless it has its own.
    private @Nullable JobSpec replica(
            RequestFields fields,
            TenantId tenant,
            String pool,
            JobRequest.Context context,
            List<Problem> problems,
            List<String> warnings) {
        JsonTree found = fields.value("replica");
        var entries = new LinkedHashMap<String, JsonTree>();
        if (found instanceof JsonTree.Mapping given) {
            entries.putAll(given.entries());
        } else if (found != null) {
            fields.invalid("replica", "an object", found, "write the fields of a job in {…}");
        }
        entries.putIfAbsent("name", new JsonTree.Text(pool));
        entries.putIfAbsent("kind", new JsonTree.Text(pool));
        entries.put("tenant_id", new JsonTree.Text(tenant.name()));
        return switch (jobs.read(new JsonTree.Mapping(entries), context.ofPool())) {
            case Parsed.Invalid(var wrong) -> {
                wrong.forEach(each -> problems.add(within("replica.", each)));
                yield null;
            }
            case Parsed.Valid(var submission, var more) -> {
                more.forEach(warning -> warnings.add("replica: " + warning));
                if (runsNothing(submission.spec().payload())) {
                    warnings.add(
                            "replica has nothing to run and ends at once; name its script, command"
                                    + " or image");
                }
                yield submission.spec();
            }
        };
    }

    private static boolean runsNothing(Payload payload) {
        return payload.script().isBlank()
                && payload.command().isEmpty()
                && payload.image().isBlank();
    }

    private static Problem within(String path, Problem problem) {
        return new Problem(
                problem.code(), path + problem.field(), problem.message(), problem.hint());
    }

    private static Slo slo(RequestFields fields, List<String> warnings) {
        RequestFields slo = fields.object("slo");
        if (slo == null) {
            return Slo.NONE;
        }
        int first = objective(slo, "ttft_ms");
        int between = objective(slo, "itl_ms");
        int tokens = objective(slo, "tokens_per_second");
        double percent = slo.number("percent", 99, 0.1, 100);
        if (first + between + tokens == 0 && !slo.has("percent")) {
            warnings.addAll(slo.unknown());
            return Slo.NONE;
        }
        if (first + between + tokens == 0) {
            slo.problem(
                    "percent",
                    "the SLO has a percentage and no objective",
                    "add \"ttft_ms\": 1000, or leave slo out");
        }
        warnings.addAll(slo.unknown());
        return new Slo(first, between, tokens, (int) Math.round(percent * 10));
    }

    /// An objective of 0 could never be met, so it is not allowed; absent means none.
    private static int objective(RequestFields slo, String key) {
        return slo.integer(key, 0, 1, MOST_MILLIS);
    }
}
