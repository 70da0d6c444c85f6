package io.gpusched.server.intake;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.core.pool.Secret;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.cell.CommandGateway;
import io.gpusched.server.view.ModelRow;
import io.gpusched.server.view.PoolRow;
import io.gpusched.server.view.PoolsView;
import io.gpusched.server.view.View;
import io.gpusched.wire.pool.BindingRequest;
import io.gpusched.wire.pool.PoolRequest;
import io.gpusched.wire.pool.ServedModelRequest;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.Parsed;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Turns the documents of pools, models and bindings into commands for the cell.
///
/// Changes run one after the other: each completes pools with what other documents say, so two at
/// once could undo each other.
public final class PoolIntake {
    private static final String KAFKA = "kafka";

    private final PoolRequest requests = new PoolRequest();
    private final JobIntake jobs;
    private final Supplier<View> views;
    private final CommandGateway gateway;
    private final boolean tenantKafka;
    private final ReentrantLock changing = new ReentrantLock();

    /// @param tenantKafka whether tenants may create bindings of Kafka
    public PoolIntake(
            JobIntake jobs, Supplier<View> views, CommandGateway gateway, boolean tenantKafka) {
        this.jobs = jobs;
        this.views = views;
        this.gateway = gateway;
        this.tenantKafka = tenantKafka;
    }

    /// What came of putting a document.
    public enum Action {
        CREATED,
        CHANGED,
        UNCHANGED
    }

    /// Creates a pool, or replaces all rules of one.
    ///
    /// @param name from the path
    public IntakeResult<Action> put(String name, JsonTree.Mapping body, Caller caller) {
        return locked(
                () ->
                        pool(
                                requests.read(
                                        JobIntake.ofCaller(body, caller), name, jobs.context()),
                                caller));
    }

    /// Changes what the body names of a pool, and keeps the rest.
    public IntakeResult<Action> change(
            Supplier<PoolRow> before, JsonTree.Mapping body, Caller caller) {
        return locked(
                () -> {
                    PoolRow row = before.get();
                    return row.removed()
                            ? new IntakeResult.Refused<>(
                                    List.of(
                                            new Problem(
                                                    Problem.Code.WRONG_STATE,
                                                    "name",
                                                    "pool " + row.pool().id() + " is removed",
                                                    "put it whole to have it again")))
                            : pool(requests.change(row.pool(), body, jobs.context()), caller);
                });
    }

    private IntakeResult<Action> pool(Parsed<Pool, Problem> parsed, Caller caller) {
        return switch (parsed) {
            case Parsed.Invalid(var problems) -> new IntakeResult.Refused<>(problems, true);
            case Parsed.Valid(var pool, var warnings) -> {
                Problem refused = refusal(pool, caller);
                if (refused != null) {
                    yield new IntakeResult.Refused<>(List.of(refused));
                }
                PoolsView now = views.get().pools();
                Pool complete = derivation(now).complete(pool);
                var told = new ArrayList<>(warnings);
                if (!complete.model().equals(pool.model()) || !complete.slo().equals(pool.slo())) {
                    told.add(
                            "model and slo are those of the pool's class, "
                                    + PoolDerivation.classOf(pool)
                                    + "; change them there");
                }
                PoolRow before = now.rows().row(complete.id());
                Action action =
                        action(before == null || before.removed() ? null : before.pool(), complete);
                yield send(new Command.PutPool(complete, caller.label()), action, told);
            }
        };
    }

    /// Why the caller may not put this pool; null when it may.
    @Nullable Problem refusal(Pool pool, Caller caller) {
        if (!caller.mayTouch(pool.tenant())) {
            return new Problem(
                    Problem.Code.UNKNOWN_TENANT,
                    "tenant_id",
                    "tenant " + pool.tenant() + " does not exist",
                    "leave tenant_id out to use the token's own tenant");
        }
        Problem beyond = jobs.beyondLimits(pool.replica());
        return beyond == null
                ? null
                : new Problem(
                        beyond.code(),
                        "replica." + beyond.field(),
                        beyond.message(),
                        beyond.hint());
    }

    static PoolDerivation derivation(PoolsView now) {
        return new PoolDerivation(now.classes(), now.bindings().values());
    }

    static <T> Action action(@Nullable T before, T after) {
        return before == null
                ? Action.CREATED
                : before.equals(after) ? Action.UNCHANGED : Action.CHANGED;
    }

    private IntakeResult<Action> send(Command command, Action action, List<String> warnings) {
        return switch (gateway.ask(command)) {
            case Answer.Rejected rejected -> new IntakeResult.Refused<>(rejected.problems());
            case Answer.Accepted accepted -> {
                var all = new ArrayList<>(warnings);
                all.addAll(accepted.warnings());
                yield new IntakeResult.Accepted<>(action, all);
            }
        };
    }

    /// Declares a model, or changes one.
    public IntakeResult<Action> putModel(String name, JsonTree.Mapping body, Caller caller) {
        return switch (ServedModelRequest.read(body, name)) {
            case Parsed.Invalid(var problems) -> new IntakeResult.Refused<>(problems, true);
            case Parsed.Valid(var model, var warnings) -> {
                ModelRow before = views.get().pools().models().get(model.name());
                ModelSpec present = before == null ? null : before.model();
                yield send(
                        new Command.PutModel(model, caller.label()),
                        action(present, model),
                        warnings);
            }
        };
    }

    /// Creates or replaces a binding, and gives its pool the queue rule.
    public IntakeResult<Action> putBinding(String name, JsonTree.Mapping body, Caller caller) {
        return locked(
                () -> {
                    QueueBinding before = views.get().pools().bindings().get(name);
                    Secret known = before == null ? Secret.NONE : before.connection();
                    return switch (BindingRequest.read(
                            JobIntake.ofCaller(body, caller), name, known)) {
                        case Parsed.Invalid(var problems) ->
                                new IntakeResult.Refused<>(problems, true);
                        case Parsed.Valid(var binding, var warnings) ->
                                putBinding(binding, before, warnings, caller);
                    };
                });
    }

    private IntakeResult<Action> putBinding(
            QueueBinding binding,
            @Nullable QueueBinding before,
            List<String> warnings,
            Caller caller) {
        if (!caller.mayTouch(binding.tenant())) {
            return new IntakeResult.Refused<>(
                    List.of(
                            new Problem(
                                    Problem.Code.UNKNOWN_TENANT,
                                    "tenant_id",
                                    "tenant " + binding.tenant() + " does not exist",
                                    "leave tenant_id out to use the token's own tenant")));
        }
        Problem refused = refusal(binding, before, caller);
        if (refused != null) {
            return new IntakeResult.Refused<>(List.of(refused));
        }
        var parts = new ArrayList<Command.PoolPart>();
        parts.add(new Command.PutBinding(binding, caller.label()));
        var changes = new PoolChanges(views.get().pools());
        changes.put(binding);
        changes.pools().forEach(pool -> parts.add(new Command.PutPool(pool, caller.label())));
        return send(new Command.Apply(parts, caller.label()), action(before, binding), warnings);
    }

    /// Only an administrator may name a secret of the gateway, or a server of Kafka, whose client
    /// cannot be kept from a harmful answer. Others may keep the connection that their binding has.
    @Nullable Problem refusal(QueueBinding binding, @Nullable QueueBinding before, Caller caller) {
        boolean kept = before != null && before.connection().equals(binding.connection());
        if (caller.isAdmin()) {
            return null;
        }
        if (!kept && binding.namesSecretOfGateway()) {
            return new Problem(
                    Problem.Code.INVALID,
                    "connection",
                    "only an administrator may name a variable or a file of the gateway",
                    "write the connection string itself, or ask an administrator to put the"
                            + " binding");
        }
        boolean keptKafka = kept && before != null && before.provider().equals(KAFKA);
        return tenantKafka || keptKafka || !binding.provider().equals(KAFKA)
                ? null
                : new Problem(
                        Problem.Code.INVALID,
                        "provider",
                        "only an administrator may create a binding of Kafka: its server could end"
                                + " the gateway",
                        "ask an administrator to put the binding, or to set"
                                + " api.tenant_kafka_bindings");
    }

    /// Removes a binding, and the queue rule that its pool has of it.
    public IntakeResult<Action> removeBinding(QueueBinding binding, Caller caller) {
        return locked(
                () -> {
                    var parts = new ArrayList<Command.PoolPart>();
                    parts.add(new Command.RemoveBinding(binding.name(), caller.label()));
                    PoolId pool = binding.pool();
                    PoolRow row = pool == null ? null : views.get().pools().rows().row(pool);
                    if (row != null
                            && !row.removed()
                            && row.pool().tenant().equals(binding.tenant())) {
                        Pool changed = PoolDerivation.without(row.pool(), binding);
                        if (!changed.equals(row.pool())) {
                            parts.add(new Command.PutPool(changed, caller.label()));
                        }
                    }
                    return send(
                            new Command.Apply(parts, caller.label()), Action.CHANGED, List.of());
                });
    }

    <T> T locked(Supplier<T> change) {
        changing.lock();
        try {
            return change.get();
        } finally {
            changing.unlock();
        }
    }
}
