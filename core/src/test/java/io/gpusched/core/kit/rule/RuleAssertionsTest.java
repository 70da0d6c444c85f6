package io.gpusched.core.kit.rule;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.TenantBuilder.aTenant;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RetryConditions.capacity;
import static io.gpusched.core.kit.rule.RetryConditions.cooled;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Shape;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Fitter;
import io.gpusched.core.policy.Gate;
import io.gpusched.core.policy.PreemptionVerdict;
import io.gpusched.core.policy.Preemptor;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.policy.VictimTrial;
import io.gpusched.core.policy.filter.TooHot;
import io.gpusched.core.policy.fit.DefaultFitter;
import io.gpusched.core.policy.order.FifoOrder;
import io.gpusched.core.policy.preempt.LostWork;
import io.gpusched.core.policy.preempt.NoPreemption;
import io.gpusched.core.policy.preempt.PriorityPreemptor;
import io.gpusched.core.policy.score.BestFit;
import io.gpusched.core.state.ClusterView;

import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/// A wrong sentence about a rule fails, and so does a rule that breaks its promises.
final class RuleAssertionsTest {
    private final TestCluster cluster = aCluster("n1: 2×A100, n2: 2×A100").with(aTenant("a"));

    private static AbstractThrowableAssert<?, ?> failure(ThrowableAssert.ThrowingCallable what) {
        return assertThatThrownBy(what).isInstanceOf(AssertionError.class);
    }

    @Test
    void wrongSentencesAboutAFilterFail() {
        var hot = aNode("2×A100").hot(0, 1);
        failure(() -> assertThat(new TooHot()).on(aShape(), hot).accepts());
        failure(() -> assertThat(new TooHot()).on(aShape(), aNode("2×A100")).refuses("hot"))
                .hasMessageContaining("found none");
        var answer = assertThat(new TooHot()).on(aShape(), hot);
        failure(() -> answer.refuses("too hot"));
        var refusal = answer.refuses("free GPUs are too hot");
        failure(() -> refusal.liftedBy(capacity()));
        failure(() -> refusal.liftedBy(cooled(), capacity()));
        failure(() -> refusal.by("heat"));
    }

    @Test
    void aFilterThatIsNotFixedMustNotSaySo() {
        Filter lying =
                new Filter() {
                    @Override
                    public @Nullable Refusal refuse(Shape shape, NodeView node) {
                        return node.tasks() == 0 ? null : Refusal.untilCapacity("busy", "busy");
                    }

                    @Override
                    public boolean fixed() {
                        return true;
                    }
                };
        assertThat(lying).on(aShape(), aNode("2×A100")).accepts();
        failure(() -> assertThat(lying).on(aShape(), aNode("2×A100").busy(0)))
                .hasMessageContaining("fixed");
    }

    @Test
    void wrongSentencesAboutAGateFail() {
        Gate closed = (job, view, now) -> Refusal.untilCapacity("closed", "closed");
        failure(() -> assertThat(closed).on(aJob(), cluster).letsPass());
        failure(() -> assertThat(closed).on(aJob(), cluster).holdsBack("open"));
        Gate open = (job, view, now) -> null;
        assertThat(open).on(aJob(), cluster).letsPass();
        failure(() -> assertThat(open).on(aJob(), cluster).holdsBack("closed"));
    }

    @Test
    void wrongSentencesAboutAnOrderFail() {
        Job early = aJob().waiting(1, cluster.now());
        Job same = aJob().waiting(2, cluster.now());
        Job late = aJob().waiting(3, cluster.now().plusSeconds(1));
        var order = assertThat(new FifoOrder());
        failure(() -> order.puts(late).before(early));
        failure(() -> order.puts(early).before(same));
        failure(() -> order.ties(early, late));
    }

    @Test
    void wrongSentencesAboutAScorerFail() {
        cluster.running(aJob(), "n1[0]");
        var costs = assertThat(new BestFit()).on(aJob(), cluster);
        failure(() -> costs.prefers("n2").over("n1"));
        failure(() -> costs.prefers("n1").over("n1"));
        failure(() -> costs.costs("n1", 0.9));
        failure(costs::isIndifferent);
        failure(() -> costs.costs("n3", 0)).hasMessageContaining("n3 was no candidate");
    }

    /// Gives every candidate the same cost, or one that depends on how many there are.
    private record Strange(double each, boolean divides, boolean beyond, boolean local)
            implements Scorer {
        @Override
        public String name() {
            return "strange";
        }

        @Override
        public void score(
                Job job, Shape shape, List<Candidate> all, ClusterView cluster, double[] cost) {
            int end = beyond ? cost.length : all.size();
            Arrays.fill(cost, 0, end, divides ? each / all.size() : each);
        }
    }

    @Test
    void scorersThatBreakTheirPromisesFail() {
        assertThat(new Strange(0.5, false, false, true)).on(aJob(), cluster).isIndifferent();
        assertThat(new Strange(0.5, true, false, false)).on(aJob(), cluster).costs("n1", 0.25);
        for (double cost : new double[] {-0.01, 1.01, Double.NaN}) {
            failure(() -> assertThat(new Strange(cost, false, false, true)).on(aJob(), cluster));
        }
        failure(() -> assertThat(new Strange(0.5, true, false, true)).on(aJob(), cluster))
                .hasMessageContaining("local");
        failure(() -> assertThat(new Strange(0.5, false, true, true)).on(aJob(), cluster))
                .hasMessageContaining("beyond");
    }

    @Test
    void wrongSentencesAboutAFitterFail() {
        var fitter = assertThat(new DefaultFitter(true, DefaultFitter.Whole.CONNECTED));
        failure(() -> fitter.on(aShape().gpus(2), aNode("4×A100")).chooses("0-2"));
        failure(() -> fitter.on(aShape().gpus(2), aNode("4×A100")).doesNotFit());
        failure(() -> fitter.on(aShape().gpus(5), aNode("4×A100")).chooses("0-4"));
    }

    @Test
    void aFitterThatGivesBusyOrTooFewGpusFails() {
        Fitter first = (shape, node, view) -> new Grant.Whole(1);
        assertThat(first).on(aShape(), aNode("2×A100").busy(1)).chooses("0");
        failure(() -> assertThat(first).on(aShape(), aNode("2×A100").busy(0)))
                .hasMessageContaining("is free");
        failure(() -> assertThat(first).on(aShape().gpus(2), aNode("2×A100")));
    }

    @Test
    void wrongSentencesAboutAPreemptorFail() {
        JobId one = cluster.running(aJob().of("a").priority(1).gpus(2), "n1[0-1]");
        JobId two = cluster.running(aJob().of("a").priority(2).gpus(2), "n2[0-1]");
        var preemptor = new PriorityPreemptor(new LostWork(Duration.ZERO), Duration.ZERO, true);
        var victims = assertThat(preemptor).on(aJob().of("a").gpus(2), cluster).evicts(one);
        failure(() -> victims.evicts(two));
        failure(() -> victims.evicts(one, two));
        failure(victims::evictsNothing);
        failure(() -> victims.judges(one, PreemptionVerdict.NOT_BELOW));
    }

    @Test
    void aPreemptorThatEvictsAJobItSparesFails() {
        JobId same = cluster.running(aJob().of("a").gpus(2), "n1[0-1]");
        cluster.running(aJob().of("a").gpus(2), "n2[0-1]");
        Preemptor lying =
                new Preemptor() {
                    @Override
                    public List<Job> victims(
                            Job job, ClusterView view, VictimTrial trial, Instant now) {
                        return List.of(cluster.job(same));
                    }

                    @Override
                    public PreemptionVerdict stay(
                            Job running, Job job, ClusterView view, Instant now) {
                        return PreemptionVerdict.NOT_BELOW;
                    }
                };
        failure(() -> assertThat(lying).on(aJob().of("a").gpus(2), cluster))
                .hasMessageContaining("verdict");
    }

    @Test
    void aPreemptorIsAskedOnlyForJobsThatFindNoPlace() {
        failure(() -> assertThat(new NoPreemption()).on(aJob().of("a"), cluster))
                .hasMessageContaining("fits without preemption");
    }
}
