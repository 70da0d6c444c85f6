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
    private static final String POOL = "AgentPool";
    private static final List<String> KINDS =
            List.of(POOL, "AgentClass", "Model", "ToolBinding", "Pool");

    private final YamlDocuments documents;
    private final PoolRequest pools = new PoolRequest();

    /// @param mostBytes of one text
    public ManifestReader(int mostBytes) {
        this.documents = new YamlDocuments(mostBytes);
    }

    /// What a manifest depends on.
    ///
    /// @param tenants the tenant of a namespace; the namespace is empty where none is named
    /// @param name of a part of a manifest that has none; empty for none
    /// @param present what is there already
    public record Context(
            JobRequest.Context jobs,
            Function<String, TenantId> tenants,
            String name,
            Present present) {
        /// Nothing is there, and parts of manifests must have a name.
        public Context(JobRequest.Context jobs, Function<String, TenantId> tenants) {
            this(jobs, tenants, "", Present.NOTHING);
        }

        private Context withoutPresent() {
            return new Context(jobs, tenants, name, Present.NOTHING);
        }
    }

    /// What parts of manifests change.
    public interface Present {
        Present NOTHING =
                new Present() {
                    @Override
                    public @Nullable Pool pool(String name) {
                        return null;
                    }

                    @Override
                    public boolean has(String kind, String name) {
                        return false;
                    }
                };

        /// The pool of this name, if the caller may change it.
        @Nullable Pool pool(String name);

        boolean has(String kind, String name);
    }

    /// Throws [MalformedException] if the text is not valid YAML or JSON.
    public Parsed<List<Manifest>, Problem> read(byte[] text, Context context) {
        var problems = new ArrayList<Problem>();
        var warnings = new ArrayList<String>();
        var all = new ArrayList<Manifest>();
        List<YamlDocuments.Document> trees = flat(documents.read(text));
        if (trees.isEmpty()) {
            problems.add(invalid("", "the text has no document", "send at least one manifest"));
        }
        for (int i = 0; i < trees.size(); i++) {
            YamlDocuments.Document document = trees.get(i);
            if (document.tree() instanceof JsonTree.Mapping tree) {
                var outcome = new ManifestFields.Notes(problems, warnings, warnings);
                Manifest manifest =
                        tree.entries().containsKey("kind")
                                ? one(tree, i + 1, context.withoutPresent(), outcome)
                                : part(tree, i + 1, document.repeated(), context, outcome);
                if (manifest != null) {
                    all.add(manifest);
                }
            } else {
                problems.add(
                        invalid(
                                "",
                                "document %d is %s, expected an object"
                                        .formatted(i + 1, document.tree().shown()),
                                "write kind, metadata and spec"));
            }
        }
        refuseRepeated(all, problems);
        return Parsed.of(List.copyOf(all), warnings, problems);
    }

    /// The documents, with the items of lists in place of the lists.
    private static List<YamlDocuments.Document> flat(List<YamlDocuments.Document> documents) {
        var all = new ArrayList<YamlDocuments.Document>();
        for (YamlDocuments.Document document : documents) {
            if (document.tree() instanceof JsonTree.Items(List<JsonTree> items)) {
                items.forEach(item -> all.add(new YamlDocuments.Document(item, Set.of())));
            } else if (document.tree() instanceof JsonTree.Mapping mapping
                    && new JsonTree.Text("List").equals(mapping.entries().get("kind"))
                    && mapping.entries().get("items")
                            instanceof JsonTree.Items(List<JsonTree> items)) {
                items.forEach(item -> all.add(new YamlDocuments.Document(item, Set.of())));
            } else {
                all.add(document);
            }
        }
        return all;
    }

    /// Reads a document without `kind`. What is assumed becomes a warning. Only known fields are
    /// taken, because only they tell what the document is.
    private @Nullable Manifest part(
            JsonTree.Mapping tree,
            int number,
            Set<String> repeated,
            Context context,
            ManifestFields.Notes outcome) {
        ManifestPart found = ManifestPart.of("document " + number, tree, outcome.problems());
        if (found == null) {
            return null;
        }
        ManifestPart part = found.name().isEmpty() ? found.named(context.name) : found;
        Problem refused = refusal(part, number, context);
        if (refused != null) {
            outcome.problems().add(refused);
            return null;
        }
        String path = part.kind() + "/" + part.name() + ": ";
        boolean keeps = part.kind().equals(POOL) && context.present.pool(part.name()) != null;
        outcome.warnings()
                .add(
                        path
                                + "document %d has no kind and is read as %s%s; %s"
                                        .formatted(
                                                number,
                                                part.place(),
                                                found.name().isEmpty()
                                                        ? " named " + part.name()
                                                        : "",
                                                keeps
                                                        ? "the pool keeps its other settings"
                                                        : "other settings have usual values"));
        for (String key : repeated) {
            outcome.warnings().add(path + key + " is written more than once; the last one is used");
        }
        var unknown = new ArrayList<String>();
        var notes = new ManifestFields.Notes(outcome.problems(), outcome.warnings(), unknown);
        Manifest manifest = one(part.tree(), number, context, notes);
        for (String each : unknown) {
            outcome.problems()
                    .add(
                            invalid(
                                    "kind",
                                    each.replace(" and was ignored", ""),
                                    "write kind, metadata and spec; a part without kind has known"
                                            + " fields only"));
        }
        return unknown.isEmpty() ? manifest : null;
    }

    private static @Nullable Problem refusal(ManifestPart part, int number, Context context) {
        if (part.name().isEmpty()) {
            return invalid(
                    "metadata.name",
                    "document %d is a part of a manifest (%s) and has no name"
                            .formatted(number, part.kind()),
                    "write metadata.name, or apply it with --name NAME");
        }
        if (!part.kind().equals(POOL) && context.present.has(part.kind(), part.name())) {
            return invalid(
                    "kind",
                    "%s/%s exists, and document %d is a part of a manifest, which would reset its other settings"
                            .formatted(part.kind(), part.name(), number),
                    "write kind, metadata and the whole spec, or choose another --name");
        }
        return null;
    }

    /// @param outcome takes what is said about all manifests
    private @Nullable Manifest one(
            JsonTree.Mapping tree, int number, Context context, ManifestFields.Notes outcome) {
        String kind = tree.entries().get("kind") instanceof JsonTree.Text(String text) ? text : "";
        if (!KINDS.contains(kind)) {
            String nearest = SpellingSuggestion.to(kind, KINDS);
            outcome.problems()
                    .add(
                            invalid(
                                    "kind",
                                    "document %d: kind must be one of %s, found \"%s\""
                                            .formatted(number, String.join(", ", KINDS), kind),
                                    nearest != null
                                            ? "did you mean " + nearest + "?"
                                            : "apply objects of Kubernetes with kubectl; gpu-cli"
                                                    + " submit takes jobs"));
            return null;
        }
        var notes = ManifestFields.Notes.none();
        var top = ManifestFields.of(tree, notes);
        ManifestFields metadata = top.object("metadata");
        String name = metadata.text("name");
        String path = kind + "/" + (name.isEmpty() ? "document " + number : name);
        Manifest manifest = null;
        if (kind.equals("Pool")) {
            manifest = ourPool(top, name, context, notes);
        } else {
            PoolRequest.checkedName(metadata.fields(), "name", name);
            ManifestFields spec = top.object("spec");
            top.skip(Set.of("apiVersion", "kind", "status"));
            top.end();
            manifest = theirs(kind, name, metadata, spec, context, notes);
        }
        notes.problems().forEach(each -> outcome.problems().add(placed(path, each)));
        notes.warnings().forEach(each -> outcome.warnings().add(path + ": " + each));
        notes.unknown().forEach(each -> outcome.unknown().add(path + ": " + each));
        return notes.problems().isEmpty() ? manifest : null;
    }

    private @Nullable Manifest theirs(
            String kind,
            String name,
            ManifestFields metadata,
            ManifestFields spec,
            Context context,
            ManifestFields.Notes notes) {
        TenantId tenant = context.tenants.apply(metadata.text("namespace"));
        if (!notes.problems().isEmpty()) {
            return null;
        }
        return switch (kind) {
            case "AgentClass" ->
                    new Manifest.OfClass(kind, AgentClassManifest.read(name, tenant, spec));
            case "Model" -> {
                JsonTree.Mapping document = ModelManifest.document(name, spec);
                ModelSpec model = value(ServedModelRequest.read(document, name), notes);
                yield model == null ? null : new Manifest.OfModel(kind, model);
            }
            case "ToolBinding" -> {
                JsonTree.Mapping document = ToolBindingManifest.document(name, tenant, spec);
                QueueBinding binding =
                        value(BindingRequest.read(document, name, Secret.NONE), notes);
                yield binding == null ? null : new Manifest.OfBinding(kind, binding);
            }
            default -> agentPool(name, tenant, metadata, spec, context, notes);
        };
    }

    private @Nullable Manifest agentPool(
            String name,
            TenantId tenant,
            ManifestFields metadata,
            ManifestFields spec,
            Context context,
            ManifestFields.Notes notes) {
        Pool present = context.present.pool(name);
        var manifest = new AgentPoolManifest(name, tenant, metadata, spec);
        var wrong = new ArrayList<Problem>();
        JsonTree.Mapping document = manifest.document();
        Pool pool =
                value(
                        present == null
                                ? pools.read(document, name, context.jobs)
                                : pools.change(present, withoutTenant(document), context.jobs),
                        new ManifestFields.Notes(wrong, notes.warnings(), notes.unknown()));
        wrong.forEach(each -> notes.problems().add(AgentPoolPaths.inManifest(each, spec)));
        return pool == null ? null : new Manifest.OfPool(POOL, pool, manifest.agentClass());
    }

    /// A part of a manifest does not move a pool to another tenant.
    private static JsonTree.Mapping withoutTenant(JsonTree.Mapping document) {
        var entries = new LinkedHashMap<>(document.entries());
        entries.remove("tenant_id");
        return new JsonTree.Mapping(entries);
    }

    /// Our own kind: the document of a pool under `spec`, or beside `kind`.
    private @Nullable Manifest ourPool(
            ManifestFields top, String name, Context context, ManifestFields.Notes notes) {
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
        Pool pool = value(pools.read(new JsonTree.Mapping(entries), name, context.jobs), notes);
        return pool == null ? null : new Manifest.OfPool("Pool", pool, "");
    }

    private static <T> @Nullable T value(Parsed<T, Problem> parsed, ManifestFields.Notes notes) {
        return switch (parsed) {
            case Parsed.Invalid<T, Problem>(var wrong) -> {
                notes.problems().addAll(wrong);
                yield null;
            }
            case Parsed.Valid<T, Problem>(var value, var more) -> {
                notes.warnings().addAll(more);
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
