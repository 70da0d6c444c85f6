package io.gpusched.core.engine;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Problem;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.SpellingSuggestion;
import io.gpusched.core.policy.WeightedScorer;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/// Answers commands about pools and models, and reports of their load.
final class PoolCommandHandler {
    private static final int LONGEST_REASON = 1_024;

    private final ClusterState state;
    private final EngineSettings settings;
    private final Instant now;
    private List<WeightedScorer> scorers = List.of();

    PoolCommandHandler(ClusterState state, EngineSettings settings, Instant now) {
        this.state = state;
        this.settings = settings;
        this.now = now;
    }

    /// @param those the scorers of the policy in force
    PoolCommandHandler under(List<WeightedScorer> those) {
        scorers = those;
        return this;
    }

    BindingCommandHandler bindings() {
        return new BindingCommandHandler(state, now);
    }

    /// Answers all parts from the present state; together they are accepted or rejected.
    Answer to(Command.Apply c) {
        var problems = new ArrayList<Problem>();
        var warnings = new ArrayList<String>();
        var events = new ArrayList<Event>();
        for (Command.PoolPart part : c.parts()) {
            Answer answer =
                    switch (part) {
                        case Command.PutPool put -> to(put, c.parts());
                        case Command.PutModel put -> to(put);
                        case Command.PutAgentClass put -> bindings().to(put);
                        case Command.PutBinding put -> bindings().to(put);
                        case Command.RemoveBinding remove -> bindings().to(remove);
                    };
            switch (answer) {
                case Answer.Rejected rejected -> problems.addAll(rejected.problems());
                case Answer.Accepted accepted -> {
                    events.addAll(accepted.events());
                    warnings.addAll(accepted.warnings());
                }
            }
        }
        problems.addAll(PoolLimits.problems(events, state));
        return problems.isEmpty()
                ? new Answer.Accepted(null, events, warnings)
                : new Answer.Rejected(problems);
    }

    Answer to(Command.PutPool c) {
        return within(to(c, List.of()));
    }

    Answer to(Command.PutAgentClass c) {
        return within(bindings().to(c));
    }

    Answer to(Command.PutBinding c) {
        return within(bindings().to(c));
    }

    /// The answer, unless the tenant would have too many of something.
    private Answer within(Answer answer) {
        List<Problem> problems =
                answer instanceof Answer.Accepted accepted
                        ? PoolLimits.problems(accepted.events(), state)
                        : List.of();
        return problems.isEmpty() ? answer : new Answer.Rejected(problems);
    }

    private Answer to(Command.PutPool c, List<Command.PoolPart> beside) {
        var check = new PoolCheck(c.pool(), state, settings).beside(beside).under(scorers);
        List<Problem> problems = check.problems();
        if (!problems.isEmpty()) {
            return new Answer.Rejected(problems);
        }
        PoolEntry before = state.pools().find(c.pool().id());
        boolean same = before != null && !before.removed() && before.pool().equals(c.pool());
        return new Answer.Accepted(
                null,
                same ? List.of() : List.of(new Event.PoolPut(now, c.pool(), c.by())),
                check.warnings());
    }

    Answer to(Command.RemovePool c) {
        PoolEntry entry = state.pools().find(c.pool());
        if (entry == null) {
            return unknown(c.pool());
        }
        return entry.removed()
                ? Answer.accepted()
                : Answer.accepted(new Event.PoolRemoved(now, c.pool(), c.by()));
    }

    Answer to(Command.ScalePool c) {
        PoolEntry entry = state.pools().find(c.pool());
        Integer replicas = c.replicas();
        if (entry == null) {
            return unknown(c.pool());
        }
        if (replicas != null && (replicas < 0 || replicas > entry.pool().max())) {
            return Answer.rejected(
                    Problem.Code.INVALID,
                    "replicas",
                    String.format(
                            Locale.ROOT,
                            "expected 0 to max_replicas, %d, found %d",
                            entry.pool().max(),
                            replicas),
                    "raise max_replicas of the pool first, or name fewer");
        }
        if (c.reason().length() > LONGEST_REASON) {
            return Answer.rejected(
                    Problem.Code.INVALID,
                    "reason",
                    String.format(
                            Locale.ROOT,
                            "expected at most %d characters, found %d",
                            LONGEST_REASON,
                            c.reason().length()),
                    "shorten it");
        }
        return Objects.equals(entry.hold(), replicas) && entry.holdReason().equals(c.reason())
                ? Answer.accepted()
                : Answer.accepted(new Event.PoolHeld(now, c.pool(), replicas, c.reason(), c.by()));
    }

    Answer to(Command.PutModel c) {
        ModelSpec model = c.model();
        if (model.name().isEmpty()) {
            return Answer.rejected(
                    Problem.Code.INVALID,
                    "name",
                    "expected the name of the model, found none",
                    "name it");
        }
        if (model.sizeBytes() < 0 || model.loadTime().isNegative() || model.pin().isNegative()) {
            return Answer.rejected(
                    Problem.Code.INVALID,
                    model.sizeBytes() < 0
                            ? "size_bytes"
                            : model.pin().isNegative() ? "pin_seconds" : "load_seconds",
                    "expected 0 or more, found less",
                    "leave it out where it is not known");
        }
        return model.equals(state.models().find(model.name()))
                ? Answer.accepted()
                : Answer.accepted(new Event.ModelPut(now, model, c.by()));
    }

    Answer to(Command.RemoveModel c) {
        if (state.models().find(c.model()) == null) {
            return Answer.rejected(
                    Problem.Code.UNKNOWN_MODEL,
                    "model",
                    "Model not found",
                    c.model() + " is not known; list the models");
        }
        String pools =
                state.pools().all().stream()
                        .filter(entry -> entry.pool().model().equals(c.model()))
                        .map(entry -> entry.id().name())
                        .collect(Collectors.joining(", "));
        if (!pools.isEmpty() && !c.force()) {
            return Answer.rejected(
                    Problem.Code.WRONG_STATE,
                    "model",
                    "model " + c.model() + " is served by " + pools,
                    "remove these pools first, let them serve another model, or use force");
        }
        var events = new ArrayList<Event>();
        events.add(new Event.ModelRemoved(now, c.model(), c.by()));
        events.addAll(new CacheEviction(state, now).ofRemoved(c.model()));
        return new Answer.Accepted(null, events, List.of());
    }

    /// A report about an unknown pool, and a repeated one, change nothing.
    List<Event> to(Report.PoolLoad r) {
        PoolEntry entry = state.pools().find(r.pool());
        return entry == null || !entry.load().isNew(now, r.load())
                ? List.of()
                : List.of(new Event.PoolLoadChanged(now, r.pool(), r.load()));
    }

    private Answer unknown(PoolId id) {
        List<String> names = state.pools().all().stream().map(entry -> entry.id().name()).toList();
        String nearest = SpellingSuggestion.to(id.name(), names);
        return Answer.rejected(
                Problem.Code.UNKNOWN_POOL,
                "pool",
                "Pool not found",
                nearest == null
                        ? id + " is not known; list the pools"
                        : id + " is not known; did you mean " + nearest + "?");
    }
}
