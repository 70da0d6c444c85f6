package io.gpusched.core.kit.rule;

import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Fitter;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.QueueOrder;
import io.gpusched.core.policy.Scorer;

/// Where sentences about rules begin.
///
///     assertThat(filter).on(shape, node).refuses("…").liftedBy(capacity())
///     assertThat(gate).on(job, cluster).holdsBack("…").liftedBy(tenant("a"))
///     assertThat(order).puts(a).before(b)
///     assertThat(scorer).on(job, cluster).prefers("n1").over("n2")
///     assertThat(fitter).on(shape, node).chooses("0-3")
///     assertThat(preemptor).on(job, cluster).evicts(j2, j3)
public final class RuleAssertions {
    private RuleAssertions() {}

    @SuppressWarnings("overloads") // No rule is written as a lambda here.
    public static FilterAssert assertThat(Filter filter) {
        return new FilterAssert(filter);
    }

    @SuppressWarnings("overloads") // No rule is written as a lambda here.
    public static GateAssert assertThat(Gate gate) {
        return new GateAssert(gate);
    }

    @SuppressWarnings("overloads") // No rule is written as a lambda here.
    public static OrderAssert assertThat(QueueOrder order) {
        return new OrderAssert(order);
    }

    @SuppressWarnings("overloads") // No rule is written as a lambda here.
    public static ScorerAssert assertThat(Scorer scorer) {
        return new ScorerAssert(scorer);
    }

    @SuppressWarnings("overloads") // No rule is written as a lambda here.
    public static FitterAssert assertThat(Fitter fitter) {
        return new FitterAssert(fitter);
    }

    @SuppressWarnings("overloads") // No rule is written as a lambda here.
    public static PreemptorAssert assertThat(Preemptor preemptor) {
        return new PreemptorAssert(preemptor);
    }
}
