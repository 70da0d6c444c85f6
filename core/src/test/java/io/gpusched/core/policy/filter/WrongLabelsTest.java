package io.gpusched.core.policy.filter;

import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RetryConditions.fleet;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

final class WrongLabelsTest {
    private final WrongLabels filter = new WrongLabels();

    @Test
    void aNodeNeedsEveryLabelThatTheJobSelects() {
        var node = aNode("n1").label("disk", "fast").label("zone", "a");
        var shape = aShape().onNodesWith("disk", "fast");
        assertThat(filter).on(shape, node).accepts();
        assertThat(filter)
                .on(shape.onNodesWith("zone", "b"), node)
                .refuses("node lacks labels {disk=fast, zone=b}")
                .by("node-selector")
                .liftedBy(fleet());
    }

    @Test
    void aLabelWithAnotherValueIsNotThatLabel() {
        assertThat(filter)
                .on(aShape().onNodesWith("disk", "fast"), aNode("n1").label("disk", "faster"))
                .refuses("node lacks labels {disk=fast}");
    }

    @Test
    void aJobThatSelectsNothingGoesAnywhere() {
        assertThat(filter).on(aShape(), aNode("n1").label("disk", "fast")).accepts();
        assertThat(filter).on(aShape(), aNode("n1")).accepts();
    }

    @Test
    void everyJobHearsOfItsOwnLabels() {
        for (int round = 0; round < 2; round++) {
            for (String zone : List.of("a", "b")) {
                assertThat(filter)
                        .on(aShape().onNodesWith("zone", zone), aNode("n1"))
                        .refuses("node lacks labels {zone=" + zone + "}");
            }
        }
    }
}
