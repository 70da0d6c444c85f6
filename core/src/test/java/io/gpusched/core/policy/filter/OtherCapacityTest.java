package io.gpusched.core.policy.filter;

import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.model.CapacityRule;
import io.gpusched.core.model.CapacityRule.SpotLabel;

import org.junit.jupiter.api.Test;

import java.util.List;

final class OtherCapacityTest {
    private static final List<SpotLabel> SPOT = List.of(new SpotLabel("market", "spot"));

    private final OtherCapacity filter = new OtherCapacity();
    private final NodeBuilder spot = aNode("n1").label("market", "spot");
    private final NodeBuilder onDemand = aNode("n2").label("market", "paid");

    @Test
    void aJobStaysOnTheCapacityThatWasChosen() {
        var there = aShape().onCapacity(new CapacityRule(CapacityRule.Kind.SPOT, SPOT));
        assertThat(filter).on(there, spot).accepts();
        assertThat(filter)
                .on(there, onDemand)
                .refuses("node is not spot capacity, which was chosen")
                .by("deadline");
        var paid = aShape().onCapacity(new CapacityRule(CapacityRule.Kind.ON_DEMAND, SPOT));
        assertThat(filter).on(paid, onDemand).accepts();
        assertThat(filter)
                .on(paid, spot)
                .refuses("node is spot capacity, on demand was chosen")
                .by("deadline");
    }

    @Test
    void aJobWithoutADeadlineMayRunOnBoth() {
        assertThat(filter).on(aShape(), spot).accepts();
        assertThat(filter).on(aShape(), onDemand).accepts();
    }
}
