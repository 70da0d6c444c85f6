package io.gpusched.core.policy.filter;

import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RetryConditions.at;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Instant;

final class RefusedBeforeTest {
    private static final Instant UNTIL = Instant.parse("2026-01-01T11:00:00Z");

    private final RefusedBefore filter = new RefusedBefore();

    @Test
    void theNodeThatRefusedTheJobIsAvoidedForATime() {
        assertThat(filter)
                .on(aShape().avoiding("n1", UNTIL, "disk full"), aNode("n1"))
                .refuses("node refused to start this job: disk full")
                .by("refused-before")
                .liftedBy(at(UNTIL));
    }

    @Test
    void aNodeThatGaveNoReasonIsAvoidedTheSame() {
        assertThat(filter)
                .on(aShape().avoiding("n1", UNTIL, ""), aNode("n1"))
                .refuses("node refused to start this job")
                .liftedBy(at(UNTIL));
    }

    @Test
    void otherNodesAndOtherJobsAreNotConcerned() {
        assertThat(filter).on(aShape().avoiding("n1", UNTIL, "disk full"), aNode("n2")).accepts();
        assertThat(filter).on(aShape(), aNode("n1")).accepts();
    }

    @Test
    void eachAvoidedNodeHasItsOwnTime() {
        var shape = aShape().avoiding("n1", UNTIL, "").avoiding("n2", UNTIL.plusSeconds(60), "hot");
        assertThat(filter)
                .on(shape, aNode("n2"))
                .refuses("node refused to start this job: hot")
                .liftedBy(at(UNTIL.plusSeconds(60)));
    }
}
