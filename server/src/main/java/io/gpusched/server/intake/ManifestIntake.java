package io.gpusched.server.intake;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.cell.CommandGateway;
import io.gpusched.server.view.ModelRow;
import io.gpusched.server.view.PoolRow;
import io.gpusched.server.view.PoolsView;
import io.gpusched.server.view.View;
import io.gpusched.wire.manifest.Manifest;
import io.gpusched.wire.manifest.ManifestReader;
import io.gpusched.wire.request.Parsed;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/// Applies a text of manifests, all or none.
public final class ManifestIntake {
    private final ManifestReader reader;
    private final JobIntake jobs;
    private final PoolIntake pools;
    private final Supplier<View> views;
    private final CommandGateway gateway;

    /// @param mostBytes of one text
    public ManifestIntake(
            int mostBytes,
            JobIntake jobs,
            PoolIntake pools,
            Supplier<View> views,
            CommandGateway gateway) {
        this.reader = new ManifestReader(mostBytes);
        this.jobs = jobs;
        this.pools = pools;
        this.views = views;
        this.gateway = gateway;
    }

    /// What became of one manifest.
    public record Applied(String kind, String name, PoolIntake.Action action) {}

    /// Applies the text.
    ///
    /// @param name of a part of a manifest that has none; empty for none
    /// @param preview answers what the cell would answer, without applying; null to apply
    public IntakeResult<List<Applied>> apply(
            byte[] text,
            String name,
            Caller caller,
            @Nullable Function<Command.Apply, Answer> preview) {
        return pools.locked(() -> applyNow(text, name, caller, preview));
    }

    private IntakeResult<List<Applied>> applyNow(
            byte[] text,
            String name,
            Caller caller,
            @Nullable Function<Command.Apply, Answer> preview) {
        var namespaces = new LinkedHashSet<String>();
        var context =
                new ManifestReader.Context(
                        jobs.context(),
                        namespace -> tenant(namespace, caller, namespaces),
                        name,
                        new Present(views.get().pools(), caller));
        return switch (reader.read(text, context)) {
            case Parsed.Invalid(var problems) -> new IntakeResult.Refused<>(problems, true);
            case Parsed.Valid(var manifests, var warnings) ->
                    apply(
                            manifests,
                            with(warnings, namespaces),
                            caller,
                            preview == null ? gateway::ask : preview);
        };
    }

    /// What parts of manifests change.
    private record Present(PoolsView now, Caller caller) implements ManifestReader.Present {
        @Override
        public @Nullable Pool pool(String name) {
            PoolRow row = now.rows().row(new PoolId(name));
            return row == null || row.removed() || !caller.mayTouch(row.pool().tenant())
                    ? null
                    : row.pool();
        }

        @Override
        public boolean has(String kind, String name) {
            return switch (kind) {
                case "AgentClass" -> now.classes().get(name) != null;
                case "Model" -> now.models().get(name) != null;
                default -> now.bindings().get(name) != null;
            };
        }
    }

    /// The tenant of a namespace: the caller's own; for an administrator the tenant of that name,
    /// or `default` if there is none.
    private TenantId tenant(String namespace, Caller caller, Set<String> unknown) {
        TenantId own = caller instanceof Caller.Member member ? member.tenant() : Tenant.DEFAULT;
        if (namespace.isEmpty() || namespace.equals(own.name())) {
            return own;
        }
        var named = new TenantId(namespace);
        if (caller.isAdmin() && views.get().tenants().row(named) != null) {
            return named;
        }
        unknown.add("metadata.namespace %s is read as tenant %s".formatted(namespace, own));
        return own;
    }

    private static List<String> with(List<String> warnings, Set<String> more) {
        var all = new ArrayList<>(warnings);
        all.addAll(more);
        return all;
    }

    private IntakeResult<List<Applied>> apply(
            List<Manifest> manifests,
            List<String> warnings,
            Caller caller,
            Function<? super Command.Apply, Answer> ask) {
        PoolsView now = views.get().pools();
        var changes = new PoolChanges(now);
        var parts = new ArrayList<Command.PoolPart>();
        var applied = new ArrayList<Applied>();
        String by = caller.label();
        for (Manifest manifest : manifests) {
            Problem refused = refusal(manifest, now, caller);
            if (refused != null) {
                return new IntakeResult.Refused<>(List.of(refused));
            }
            switch (manifest) {
                case Manifest.OfModel of -> parts.add(new Command.PutModel(of.model(), by));
                case Manifest.OfClass of -> {
                    changes.put(of.agentClass());
                    parts.add(new Command.PutAgentClass(of.agentClass(), by));
                }
                case Manifest.OfBinding of -> {
                    changes.put(of.binding());
                    parts.add(new Command.PutBinding(of.binding(), by));
                }
                case Manifest.OfPool of -> changes.put(of.pool());
            }
        }
        List<Pool> put = changes.pools();
        put.forEach(pool -> parts.add(new Command.PutPool(pool, by)));
        for (Manifest manifest : manifests) {
            applied.add(new Applied(manifest.kind(), manifest.name(), action(manifest, now, put)));
            if (manifest instanceof Manifest.OfPool of
                    && !of.agentClass().isEmpty()
                    && !changes.knowsClass(of.agentClass())) {
                warnings.add(
                        "AgentPool/%s: there is no AgentClass %s yet; the pool gets its model and objectives when it is applied"
                                .formatted(of.name(), of.agentClass()));
            }
        }
        return switch (ask.apply(new Command.Apply(parts, by))) {
            case Answer.Rejected rejected -> new IntakeResult.Refused<>(rejected.problems());
            case Answer.Accepted accepted -> {
                warnings.addAll(accepted.warnings());
                yield new IntakeResult.Accepted<>(List.copyOf(applied), warnings);
            }
        };
    }

    private static PoolIntake.Action action(Manifest manifest, PoolsView now, List<Pool> put) {
        return switch (manifest) {
            case Manifest.OfModel of -> {
                ModelRow row = now.models().get(of.name());
                yield PoolIntake.action(row == null ? null : row.model(), of.model());
            }
            case Manifest.OfClass of ->
                    PoolIntake.action(now.classes().get(of.name()), of.agentClass());
            case Manifest.OfBinding of ->
                    PoolIntake.action(now.bindings().get(of.name()), of.binding());
            case Manifest.OfPool of -> {
                PoolRow row = now.rows().row(of.pool().id());
                Pool complete =
                        put.stream()
                                .filter(pool -> pool.id().equals(of.pool().id()))
                                .findFirst()
                                .orElse(of.pool());
                yield PoolIntake.action(row == null || row.removed() ? null : row.pool(), complete);
            }
        };
    }

    private @Nullable Problem refusal(Manifest manifest, PoolsView now, Caller caller) {
        return switch (manifest) {
            case Manifest.OfModel of ->
                    caller.isAdmin() || isKnown(of, now)
                            ? null
                            : problem(
                                    of,
                                    "only an administrator declares models, which nodes share",
                                    "remove it from the text, or apply it with an administrator's"
                                            + " token");
            case Manifest.OfPool of -> {
                Problem found = pools.refusal(of.pool(), caller);
                yield found == null
                        ? null
                        : new Problem(
                                found.code(),
                                found.field(),
                                of.kind() + "/" + of.name() + ": " + found.message(),
                                found.hint());
            }
            case Manifest.OfClass of -> {
                var before = now.classes().get(of.name());
                yield before == null || before.tenant().equals(of.agentClass().tenant())
                        ? null
                        : taken(of);
            }
            case Manifest.OfBinding of -> {
                var before = now.bindings().get(of.name());
                yield before == null || before.tenant().equals(of.binding().tenant())
                        ? pools.refusal(of.binding(), before, caller)
                        : taken(of);
            }
        };
    }

    private static boolean isKnown(Manifest.OfModel of, PoolsView now) {
        ModelRow row = now.models().get(of.name());
        return row != null && row.model().equals(of.model());
    }

    private static Problem taken(Manifest manifest) {
        return new Problem(
                Problem.Code.EXISTS,
                "metadata.name",
                manifest.kind() + "/" + manifest.name() + ": the name is taken by another tenant",
                "choose another name");
    }

    private static Problem problem(Manifest manifest, String message, String hint) {
        return new Problem(
                Problem.Code.INVALID,
                "kind",
                manifest.kind() + "/" + manifest.name() + ": " + message,
                hint);
    }
}
