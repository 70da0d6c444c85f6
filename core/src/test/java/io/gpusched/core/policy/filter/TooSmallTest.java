package io.gpusched.core.policy.filter;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RetryConditions.fleet;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import org.junit.jupiter.api.Test;

final class TooSmallTest {
    private static final String WHY = "node has too few cores or too little memory";

    private final TooSmall filter = new TooSmall();

    @Test
    void allCoresOfANodeMayBeAskedForAndNotOneMore() {
        assertThat(filter).on(aShape().cores(64), aNode("n1").cores(64)).accepts();
        assertThat(filter)
                .on(aShape().cores(65), aNode("n1").cores(64))
                .refuses(WHY)
                .by("too-small")
                .liftedBy(fleet());
    }

    @Test
    void allMemoryOfANodeMayBeAskedForAndNotOneMore() {
        assertThat(filter).on(aShape().memoryMiB(1000), aNode("n1").memoryMiB(1000)).accepts();
        assertThat(filter)
                .on(aShape().memoryMiB(1001), aNode("n1").memoryMiB(1000))
                .refuses(WHY)
                .liftedBy(fleet());
    }

    @Test
    void coresInUseAreAnotherRulesReason() {
        var full = aNode("n1").cores(64).running(aJob().gpus(0).cores(64), "");
        assertThat(filter).on(aShape().cores(64), full).accepts();
    }
}
