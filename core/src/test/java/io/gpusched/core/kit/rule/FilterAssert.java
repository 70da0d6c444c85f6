package io.gpusched.core.kit.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Filter;
import io.gpusched.core.policy.Refusal;

import org.jspecify.annotations.Nullable;

/// What a filter says of a node.
public final class FilterAssert {
    private final Filter filter;

    FilterAssert(Filter filter) {
        this.filter = filter;
    }

    /// Asks the filter whether a task of this shape may go to the node. One that calls itself fixed
    /// must say the same of the node when it is idle.
    public Answer on(JobBuilder task, NodeBuilder node) {
        Shape shape = task.shape();
        TestCluster cluster = TestCluster.aCluster(node);
        String name = node.build().id().name();
        Refusal refusal = filter.refuse(shape, cluster.node(name));
        if (filter.fixed()) {
            assertThat(filter.refuse(shape, idle(node).node(name)))
                    .as("%s is fixed, so its answer for an idle node", filter.name())
                    .isEqualTo(refusal);
        }
        return new Answer(refusal);
    }

    private static TestCluster idle(NodeBuilder node) {
        return TestCluster.idle(node.build());
    }

    /// The filter's answer.
    public static final class Answer {
        private final @Nullable Refusal refusal;

        private Answer(@Nullable Refusal refusal) {
            this.refusal = refusal;
        }

        public void accepts() {
            RefusalAssert.isAbsent(refusal);
        }

        public RefusalAssert refuses(String why) {
            return RefusalAssert.because(why, refusal);
        }
    }
}
