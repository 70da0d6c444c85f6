package io.gpusched.core.engine;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.model.CarbonPreference;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.SpellingSuggestion;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.place.FleetCapacityCheck;
import io.gpusched.core.place.TopologyDomains;
import io.gpusched.core.policy.WeightedScorer;
import io.gpusched.core.policy.gate.QuotaGate;
import io.gpusched.core.policy.score.DataLocality;
import io.gpusched.core.policy.score.ModelCache;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.Slo;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.PoolEntry;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;

/// Finds everything that is wrong with a pool before it is put.
final class PoolCheck {
    /// The most replicas of a pool.
    private static final int MOST = 10_000;

    private final Pool pool;
    private final ClusterState state;
    private final EngineSettings settings;
    private final List<Problem> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private List<Command.PoolPart> beside = List.of();
    private List<WeightedScorer> scorers = List.of();

    PoolCheck(Pool pool, ClusterState state, EngineSettings settings) {
        this.pool = pool;
        this.state = state;
        this.settings = settings;
    }

    /// Warns of rules that no scorer of the policy in force reads.
    PoolCheck under(List<WeightedScorer> those) {
        scorers = those;
        return this;
    }

    /// Takes models and pools into account that are put together with this pool.
    PoolCheck beside(List<Command.PoolPart> others) {
        beside = others;
        return this;
    }

    /// What the sender should know although the pool is right; known after [#problems].
    List<String> warnings() {
        return warnings;
    }

    List<Problem> problems() {
        tenant();
        sizes();
        objectives();
        law();
        model(pool.model(), "model");
        model(pool.cost().fallbackModel(), "cost.fallback_model");
        model(pool.cost().largerModel(), "cost.larger_model");
        ports();
        if (pool.replica().deadline() != null) {
            add(
                    "replica.deadline",
                    "a replica of a pool never ends, so it has no deadline",
                    "leave the deadline out");
        }
        if (problems.isEmpty()) {
            replica();
            locality();
        }
        return problems;
    }

    private void locality() {
        LocalityRules rules = pool.locality();
        boolean places = !rules.near().isEmpty() || !rules.apart().isEmpty();
        if ((places || rules.weightPercent() > 0) && !scores(DataLocality.NAME)) {
            unread("near, apart and weight of locality", DataLocality.NAME);
        }
        if (rules.cachePercent() > 0 && !scores(ModelCache.NAME)) {
            unread("cache_hit_weight of locality", ModelCache.NAME);
        }
        if (rules.minCached() > 0 && pool.model().isEmpty()) {
            warnings.add(
                    "pool "
                            + pool.id()
                            + ": min_cached_replicas has no effect without a model; name the"
                            + " model");
        }
    }

    private boolean scores(String name) {
        return scorers.stream().anyMatch(each -> each.scorer().name().equals(name));
    }

    private void unread(String what, String scorer) {
        warnings.add(
                String.format(
                        Locale.ROOT,
                        "pool %s: %s choose no node, because the policy in force has no scorer %s;"
                                + " use the placement strategy five-term (scheduler.placement)",
                        pool.id(),
                        what,
                        scorer));
    }

    private void add(String field, String message, String hint) {
        problems.add(new Problem(Problem.Code.INVALID, field, message, hint));
    }

    private void tenant() {
        Tenant tenant = state.tenants().find(pool.tenant());
        PoolEntry before = state.pools().find(pool.id());
        if (tenant == null) {
            problems.add(
                    new Problem(
                            Problem.Code.UNKNOWN_TENANT,
                            "tenant_id",
                            "tenant " + pool.tenant() + " does not exist",
                            "create it, or use the tenant `default`"));
        } else if (!tenant.active()) {
            problems.add(
                    new Problem(
                            Problem.Code.WRONG_STATE,
                            "tenant_id",
                            "tenant " + tenant.id() + " is not active",
                            "ask an administrator to activate it"));
        }
        if (before != null && !before.pool().tenant().equals(pool.tenant())) {
            problems.add(
                    new Problem(
                            Problem.Code.EXISTS,
                            "name",
                            "pool " + pool.id() + " is of another tenant",
                            "choose another name"));
        }
    }

    private void sizes() {
        if (pool.min() < 0) {
            add("min_replicas", "expected 0 or more, found " + pool.min(), "the nearest is 0");
        }
        if (pool.max() < 1 || pool.max() > MOST) {
            add(
                    "max_replicas",
                    "expected 1 to " + MOST + ", found " + pool.max(),
                    "the nearest is " + Math.clamp(pool.max(), 1, MOST));
        } else if (pool.min() > pool.max()) {
            add(
                    "min_replicas",
                    String.format(
                            Locale.ROOT,
                            "expected at most max_replicas, %d, found %d",
                            pool.max(),
                            pool.min()),
                    "lower min_replicas, or raise max_replicas");
        }
        if (pool.warmPercent() < 0 || pool.warmPercent() > 100) {
            add(
                    "warm_percent",
                    "expected 0 to 100, found " + pool.warmPercent(),
                    "the nearest is " + Math.clamp(pool.warmPercent(), 0, 100));
        }
    }

    private void objectives() {
        Slo slo = pool.slo();
        notNegative("slo.ttft_ms", slo.firstTokenMillis());
        notNegative("slo.itl_ms", slo.interTokenMillis());
        notNegative("slo.tokens_per_second", slo.tokensPerSecond());
        if (slo.permille() < 0 || slo.permille() > 1000) {
            add(
                    "slo.percent",
                    "expected 0 to 100, found " + slo.permille() / 10.0,
                    "the usual value is 99");
        }
        if (slo.isNone() && pool.scaling().law().equals("slo")) {
            add(
                    "slo.ttft_ms",
                    "the law slo needs an objective of more than 0, found none",
                    "name slo.ttft_ms or slo.itl_ms, or choose another scaling.law");
        }
    }

    private void notNegative(String field, int value) {
        if (value < 0) {
            add(field, "expected more than 0, found " + value, "leave it out for no objective");
        }
    }

    private void law() {
        String law = pool.scaling().law();
        List<String> laws = settings.policy().plugins().laws();
        if (!laws.contains(law)) {
            String nearest = SpellingSuggestion.to(law, laws);
            add(
                    "scaling.law",
                    "there is no law \"" + law + "\"",
                    (nearest == null ? "" : "did you mean " + nearest + "? ")
                            + "the laws are "
                            + String.join(", ", laws));
        }
        if (law.equals("targets") && pool.scaling().targets().isEmpty()) {
            add(
                    "scaling.targets",
                    "the law targets needs a target, found none",
                    "name one, such as {metric: tokens-in-queue, target: 500}");
        }
        if (law.equals("queue") && pool.scaling().queue() == null) {
            add(
                    "scaling.queue",
                    "the law queue needs prefetch, throughput and max_lag, found none",
                    "name them, such as {prefetch: 10, throughput: 5, max_lag: 100}");
        }
    }

    /// A name that the pool has already is right: models may have been declared, or deleted by
    /// force, since the pool was put.
    private boolean hasModel(String name) {
        PoolEntry before = state.pools().find(pool.id());
        return before != null
                && !before.removed()
                && List.of(
                                before.pool().model(),
                                before.pool().cost().fallbackModel(),
                                before.pool().cost().largerModel())
                        .contains(name);
    }

    private void model(String name, String field) {
        var known = new ArrayList<String>();
        state.models().declared().forEach(model -> known.add(model.name()));
        for (Command.PoolPart other : beside) {
            if (other instanceof Command.PutModel put) {
                known.add(put.model().name());
            }
        }
        if (name.isEmpty() || known.isEmpty() || known.contains(name) || hasModel(name)) {
            return;
        }
        String nearest = SpellingSuggestion.to(name, known);
        add(
                field,
                "there is no model \"" + name + "\"",
                (nearest == null ? "" : "did you mean " + nearest + "? ")
                        + "declare it, or choose one of "
                        + String.join(", ", known));
    }

    private void ports() {
        Problem problem = new PoolPorts(pool, state, otherPools()).problem();
        if (problem != null) {
            problems.add(problem);
        }
    }

    /// The other pools as they will be, with those that are put together with this one, without
    /// those that are removed.
    private Collection<Pool> otherPools() {
        var others = new LinkedHashMap<PoolId, Pool>();
        for (PoolEntry entry : state.pools().all()) {
            if (!entry.removed()) {
                others.put(entry.id(), entry.pool());
            }
        }
        for (Command.PoolPart other : beside) {
            if (other instanceof Command.PutPool put) {
                others.put(put.pool().id(), put.pool());
            }
        }
        others.remove(pool.id());
        return others.values();
    }

    private void replica() {
        JobSpec spec = pool.replica();
        if (!spec.limit().isZero()) {
            add(
                    "replica.max_runtime",
                    "a replica runs until it is stopped, found a limit of " + spec.limit(),
                    "leave it out");
            return;
        }
        if (!spec.carbon().equals(CarbonPreference.NONE)) {
            add(
                    "replica.carbon",
                    "the carbon rules of a replica are those of its pool, found others",
                    "write them under carbon of the pool");
        }
        first(QuotaGate.neverFits(spec, state));
        first(ProximityCheck.problem(spec, state, settings.topologyLevels()));
        first(PayloadCheck.problem(spec, state, settings.payloads()));
        var beyond =
                new FleetCapacityCheck(
                        state,
                        settings.topologyLevels(),
                        () -> new TopologyDomains(state, settings.topologyLevels()));
        String tooLarge = problems.isEmpty() ? beyond.why(spec) : null;
        if (tooLarge != null) {
            warnings.add(
                    "pool "
                            + pool.id()
                            + ": no replica can be placed on the present nodes: "
                            + tooLarge);
        }
    }

    private void first(@Nullable Problem problem) {
        if (problem != null && problems.isEmpty()) {
            problems.add(problem);
        }
    }
}
