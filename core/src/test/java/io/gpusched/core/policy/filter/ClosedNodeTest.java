package io.gpusched.core.policy.filter;

import static io.gpusched.core.kit.JobBuilder.aShape;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.rule.RetryConditions.heard;
import static io.gpusched.core.kit.rule.RetryConditions.opened;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import io.gpusched.core.model.NodeClosure;
import io.gpusched.core.model.NodeStatus;

import org.junit.jupiter.api.Test;

final class ClosedNodeTest {
    private final ClosedNode filter = new ClosedNode();

    @Test
    void anOpenNodeIsAccepted() {
        assertThat(filter).on(aShape(), aNode("n1")).accepts();
    }

    @Test
    void aCordonedNodeIsRefusedUntilItIsOpened() {
        var status = NodeStatus.READY.cordon(NodeClosure.by("anna", "disk"));
        assertThat(filter)
                .on(aShape(), aNode("n1").status(status))
                .refuses("node is cordoned")
                .by("closed")
                .liftedBy(opened());
    }

    @Test
    void theReasonTellsWhenTheSchedulerCordonedTheNode() {
        var status = NodeStatus.READY.cordon(NodeClosure.automatic("refused 3 jobs"));
        assertThat(filter)
                .on(aShape(), aNode("n1").status(status))
                .refuses("node was cordoned by the scheduler because it refused to start jobs")
                .liftedBy(opened());
    }

    @Test
    void aDrainingNodeIsRefusedUntilItIsOpened() {
        var status = NodeStatus.READY.drain(NodeClosure.by("anna", "disk"));
        assertThat(filter)
                .on(aShape(), aNode("n1").status(status))
                .refuses("node is draining")
                .liftedBy(opened());
        assertThat(filter)
                .on(aShape(), aNode("n1").status(status.cordon(NodeClosure.by("bob", ""))))
                .refuses("node is draining");
    }

    @Test
    void aSilentNodeIsRefusedUntilItsAgentIsHeard() {
        assertThat(filter)
                .on(aShape(), aNode("n1").status(silent(NodeStatus.Reach.UNREACHABLE)))
                .refuses("node is unreachable")
                .liftedBy(heard());
        assertThat(filter)
                .on(aShape(), aNode("n1").status(silent(NodeStatus.Reach.LOST)))
                .refuses("node is lost")
                .liftedBy(heard());
    }

    @Test
    void silenceCountsBeforeADrain() {
        var status = silent(NodeStatus.Reach.UNREACHABLE).drain(NodeClosure.by("anna", ""));
        assertThat(filter)
                .on(aShape(), aNode("n1").status(status))
                .refuses("node is unreachable")
                .liftedBy(heard());
    }

    private static NodeStatus silent(NodeStatus.Reach reach) {
        return NodeStatus.READY.with(reach);
    }
}
