package io.gpusched.server.intake;

import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.core.pool.QueueRule;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.Slo;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;

/// Completes a pool with what other documents say about it: its agent class gives it a model and
/// objectives, and a binding that names it gives it a queue rule.
///
/// @param classes by name
/// @param bindings all of them
record PoolDerivation(Map<String, AgentClass> classes, Collection<QueueBinding> bindings) {
    private static final String SLO = "slo";
    private static final String QUEUE = "queue";
    private static final String STATIC = "static";

    /// The class that the pool names; empty for none.
    static String classOf(Pool pool) {
        return pool.replica().labels().value(AgentClass.LABEL);
    }

    /// The pool as it is put. A pool of a class has the model and the objectives of the class.
    Pool complete(Pool pool) {
        AgentClass of = classes.get(classOf(pool));
        if (of != null && !of.tenant().equals(pool.tenant())) {
            of = null;
        }
        String model = of == null || of.model().isEmpty() ? pool.model() : of.model();
        Slo slo = of == null || of.slo().isNone() ? pool.slo() : of.slo();
        QueueRule queue = queue(pool);
        return with(pool, model, slo, scaling(pool.scaling(), slo, queue, of != null));
    }

    /// The rule of the binding that names the pool; its own where none does.
    private @Nullable QueueRule queue(Pool pool) {
        for (QueueBinding binding : bindings) {
            if (pool.id().equals(binding.pool())
                    && binding.tenant().equals(pool.tenant())
                    && binding.rule() != null) {
                return binding.rule();
            }
        }
        return pool.scaling().queue();
    }

    /// The pool after a binding of it was removed.
    static Pool without(Pool pool, QueueBinding binding) {
        ScalingRules rules = pool.scaling();
        if (!Objects.equals(rules.queue(), binding.rule())) {
            return pool;
        }
        return with(pool, pool.model(), pool.slo(), scaling(rules, pool.slo(), null, false));
    }

    private static Pool with(Pool pool, String model, Slo slo, ScalingRules scaling) {
        return new Pool(
                pool.id(),
                model,
                pool.replica(),
                pool.min(),
                pool.max(),
                pool.warmPercent(),
                slo,
                scaling,
                pool.cost(),
                pool.carbon(),
                pool.locality(),
                pool.serving());
    }

    /// A pool of a class without targets follows the objectives of the class, and a binding makes
    /// a static pool scale by its queue.
    private static ScalingRules scaling(
            ScalingRules rules, Slo slo, @Nullable QueueRule queue, boolean ofClass) {
        String law = rules.law();
        if (law.equals(STATIC) && ofClass && !slo.isNone()) {
            law = SLO;
        } else if (law.equals(STATIC) && queue != null) {
            law = QUEUE;
        } else if (law.equals(SLO) && slo.isNone() || law.equals(QUEUE) && queue == null) {
            law = queue != null ? QUEUE : slo.isNone() ? STATIC : SLO;
        }
        return new ScalingRules(
                law,
                rules.targets(),
                rules.replicaTokensPerSecond(),
                queue,
                rules.schedules(),
                rules.up(),
                down(rules, law),
                rules.cooldown(),
                rules.every(),
                rules.staleAfter());
    }

    /// The usual way to shrink depends on the law, so it changes with it; one that was set stays.
    private static ScaleBehavior down(ScalingRules rules, String law) {
        boolean was = rules.law().equals(SLO);
        ScaleBehavior usual = was ? ScaleBehavior.DOWN_SOON : ScaleBehavior.DOWN;
        if (was == law.equals(SLO) || !rules.down().equals(usual)) {
            return rules.down();
        }
        return was ? ScaleBehavior.DOWN : ScaleBehavior.DOWN_SOON;
    }
}
