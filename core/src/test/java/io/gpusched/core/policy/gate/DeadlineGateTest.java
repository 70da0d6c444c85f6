package io.gpusched.core.policy.gate;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RetryConditions.changed;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.CapacityRule;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;

final class DeadlineGateTest {
    private final TestCluster cluster = aCluster("n1: 8×A100");
    private final DeadlineGate gate = new DeadlineGate();

    @Test
    void aJobWaitsWhileThatIsCheaperThanRunning() {
        var none = new CapacityRule(CapacityRule.Kind.NONE, List.of());
        assertThat(gate)
                .on(aJob().onCapacity(none), cluster)
                .holdsBack(
                        "it waits for spot capacity, which is cheaper and leaves time until its"
                                + " deadline")
                .by("deadline")
                .liftedBy(changed("spot capacity is free, or its slack is used up"));
    }

    @ParameterizedTest
    @EnumSource(names = {"ANY", "SPOT", "ON_DEMAND"})
    void anyOtherChoiceLetsItPass(CapacityRule.Kind kind) {
        assertThat(gate)
                .on(aJob().onCapacity(new CapacityRule(kind, List.of())), cluster)
                .letsPass();
    }
}
