package io.gpusched.wire.manifest;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.SpellingSuggestion;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.core.pool.Secret;
import io.gpusched.wire.pool.BindingRequest;
import io.gpusched.wire.pool.PoolRequest;
import io.gpusched.wire.pool.ServedModelRequest;
import io.gpusched.wire.request.JobRequest;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.MalformedException;
import io.gpusched.wire.request.Parsed;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Reads a text of manifests. All of them are read before anything is answered, so that the user
/// sees every problem at once.
///
///     kind: AgentPool
///     metadata: {name: chat}
///     spec: {maxReplicas: 8, gpuRequirements: {count: 1, type: A100}}
public final class ManifestReader {
    private static final List<String> KINDS =
            List.of("AgentPool", "AgentClass", "Model", "ToolBinding", "Pool");

    private final YamlDocuments documents;
    private final PoolRequest pools = new PoolRequest();

    /// @param mostBytes of one text
    public ManifestReader(int mostBytes) {
        this.documents = new YamlDocuments(mostBytes);
    }

    /// What a manifest depends on.
    ///
    /// @param tenants the tenant of a namespace; the namespace is empty where none is named
    public record Context(JobRequest.Context jobs, Function<String, TenantId> tenants) {}

    /// Throws [MalformedException] if the text is not valid YAML or JSON.
    public Parsed<List<Manifest>, Problem> read(byte[] text, Context context) {
        var problems = new ArrayList<Problem>();
        var warnings = new ArrayList<String>();
        var all = new ArrayList<Manifest>();
        List<JsonTree> trees = flat(documents.read(text));
        if (trees.isEmpty()) {
            problems.add(invalid("", "the text has no document", "send at least one manifest"));
        }
        for (int i = 0; i < trees.size(); i++) {
            if (trees.get(i) instanceof JsonTree.Mapping tree) {
                Manifest manifest = one(tree, i + 1, context, problems, warnings);
                if (manifest != null) {
                    all.add(manifest);
                }
            } else {
                problems.add(
                        invalid(
                                "",
                                "document %d is %s, expected an object"
                                        .formatted(i + 1, trees.get(i).shown()),
                                "write kind, metadata and spec"));
            }
        }
        refuseRepeated(all, problems);
        return Parsed.of(List.copyOf(all), warnings, problems);
    }

    /// The documents, with the items of lists in place of the lists.
    private static List<JsonTree> flat(List<JsonTree> documents) {
        var all = new ArrayList<JsonTree>();
        for (JsonTree document : documents) {
            if (document instanceof JsonTree.Items(List<JsonTree> items)) {
                all.addAll(items);
            } else if (document instanceof JsonTree.Mapping mapping
                    && new JsonTree.Text("List").equals(mapping.entries().get("kind"))
                    && mapping.entries().get("items")
                            instanceof JsonTree.Items(List<JsonTree> items)) {
                all.addAll(items);
            } else {
                all.add(document);
            }
        }
        return all;
    }

    private @Nullable Manifest one(
            JsonTree.Mapping tree,
            int number,
            Context context,
            List<Problem> problems,
            List<String> warnings) {
        String kind = tree.entries().get("kind") instanceof JsonTree.Text(String text) ? text : "";
        if (!KINDS.contains(kind)) {
            String nearest = SpellingSuggestion.to(kind, KINDS);
            problems.add(
                    invalid(
                            "kind",
                            "document %d: kind must be one of %s, found \"%s\""
                                    .formatted(number, String.join(", ", KINDS), kind),
                            nearest != null
                                    ? "did you mean " + nearest + "?"
                                    : "a part of a manifest belongs under spec of its kind"));
            return null;
        }
        var found = new ArrayList<Problem>();
        var named = new ArrayList<String>();
        var top = ManifestFields.of("", tree, found, named);
        ManifestFields metadata = top.object("metadata");
        String name = metadata.text("name");
        String path = kind + "/" + (name.isEmpty() ? "document " + number : name);
        Manifest manifest = null;
        if (kind.equals("Pool")) {
            manifest = ourPool(top, name, context, found, named);
        } else {
            PoolRequest.checkedName(metadata.fields(), "name", name);
            ManifestFields spec = top.object("spec");
            top.skip(Set.of("apiVersion", "kind", "status"));
            top.end();
            manifest = theirs(kind, name, metadata, spec, context, found, named);
        }
        found.forEach(each -> problems.add(placed(path, each)));
        named.forEach(each -> warnings.add(path + ": " + each));
        return found.isEmpty() ? manifest : null;
    }

    private @Nullable Manifest theirs(
            String kind,
            String name,
            ManifestFields metadata,
            ManifestFields spec,
            Context context,
            List<Problem> problems,
            List<String> warnings) {
        TenantId tenant = context.tenants.apply(metadata.text("namespace"));
        if (!problems.isEmpty()) {
            return null;
        }
        return switch (kind) {
            case "AgentClass" ->
                    new Manifest.OfClass(kind, AgentClassManifest.read(name, tenant, spec));
            case "Model" -> {
                JsonTree.Mapping document = ModelManifest.document(name, spec);
                ModelSpec model =
                        value(ServedModelRequest.read(document, name), problems, warnings);
                yield model == null ? null : new Manifest.OfModel(kind, model);
            }
            case "ToolBinding" -> {
                JsonTree.Mapping document = ToolBindingManifest.document(name, tenant, spec);
                QueueBinding binding =
                        value(BindingRequest.read(document, name, Secret.NONE), problems, warnings);
                yield binding == null ? null : new Manifest.OfBinding(kind, binding);
            }
            default -> agentPool(name, tenant, metadata, spec, context, problems, warnings);
        };
    }

    private @Nullable Manifest agentPool(
            String name,
            TenantId tenant,
            ManifestFields metadata,
            ManifestFields spec,
            Context context,
            List<Problem> problems,
            List<String> warnings) {
        var manifest = new AgentPoolManifest(name, tenant, metadata, spec);
        var wrong = new ArrayList<Problem>();
        Pool pool = value(pools.read(manifest.document(), name, context.jobs), wrong, warnings);
        wrong.forEach(each -> problems.add(AgentPoolPaths.inManifest(each)));
        return pool == null ? null : new Manifest.OfPool("AgentPool", pool, manifest.agentClass());
    }

    /// Our own kind: the document of a pool under `spec`, or beside `kind`.
    private @Nullable Manifest ourPool(
            ManifestFields top,
            String name,
            Context context,
            List<Problem> problems,
            List<String> warnings) {
        var entries = new LinkedHashMap<String, JsonTree>();
        if (top.fields().value("spec") instanceof JsonTree.Mapping spec) {
            entries.putAll(spec.entries());
        } else {
            top.fields().entries().forEach(entries::put);
            Set.of("apiVersion", "kind", "metadata", "spec").forEach(entries::remove);
        }
        if (entries.get("tenant_id") == null) {
            TenantId tenant = context.tenants.apply(top.object("metadata").text("namespace"));
            entries.put("tenant_id", new JsonTree.Text(tenant.name()));
        }
        Pool pool =
                value(
                        pools.read(new JsonTree.Mapping(entries), name, context.jobs),
                        problems,
                        warnings);
        return pool == null ? null : new Manifest.OfPool("Pool", pool, "");
    }

    private static <T> @Nullable T value(
            Parsed<T, Problem> parsed, List<Problem> problems, List<String> warnings) {
        return switch (parsed) {
            case Parsed.Invalid<T, Problem>(var wrong) -> {
                problems.addAll(wrong);
                yield null;
            }
            case Parsed.Valid<T, Problem>(var value, var more) -> {
                warnings.addAll(more);
                yield value;
            }
        };
    }

    private static void refuseRepeated(List<Manifest> all, List<Problem> problems) {
        var seen = new LinkedHashSet<String>();
        for (Manifest each : all) {
            String what = (each instanceof Manifest.OfPool ? "Pool" : each.kind()) + each.name();
            if (!seen.add(what)) {
                problems.add(
                        invalid(
                                "metadata.name",
                                "%s/%s is in the text twice".formatted(each.kind(), each.name()),
                                "remove one of them, or give it another name"));
            }
        }
    }

    private static Problem placed(String path, Problem problem) {
        return new Problem(
                problem.code(), problem.field(), path + ": " + problem.message(), problem.hint());
    }

    private static Problem invalid(String field, String message, String hint) {
        return new Problem(Problem.Code.INVALID, field, message, hint);
    }
}
