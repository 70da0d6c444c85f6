package io.gpusched.core.kit.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.policy.Fitter;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Which GPUs of a node a fitter chooses.
public final class FitterAssert {
    private final Fitter fitter;

    FitterAssert(Fitter fitter) {
        this.fitter = fitter;
    }

    public Choice on(JobBuilder task, NodeBuilder node) {
        return on(task, TestCluster.aCluster(node), node.build().id().name());
    }

    /// Asks for GPUs of one node of the cluster. What is chosen must be free.
    public Choice on(JobBuilder task, TestCluster cluster, String node) {
        Shape shape = task.shape();
        Grant grant = fitter.fit(shape, cluster.node(node), cluster.state());
        if (grant != null) {
            assertThat(cluster.node(node).hasFree(grant)).as("%s is free", grant).isTrue();
            assertThat(Long.bitCount(grant.mask()))
                    .as("GPUs of %s", grant)
                    .isGreaterThanOrEqualTo(shape.gpus().devices());
        }
        return new Choice(grant);
    }

    /// The fitter's choice.
    public static final class Choice {
        private final @Nullable Grant grant;

        private Choice(@Nullable Grant grant) {
            this.grant = grant;
        }

        /// @param gpus `0-3,6` for whole GPUs, `0@40%` for a share, `0:3g.20gb@4` for a slice;
        ///        empty for no GPUs
        public void chooses(String gpus) {
            if (grant == null) {
                throw new AssertionError("expected " + gpus + ", but the task does not fit");
            }
            var slot = new Slot(new NodeId("n"), 0, 0, grant, Resources.NONE);
            String text = new Placement(List.of(slot)).toString();
            assertThat(text.substring(1).replaceAll("[\\[\\]]", "")).isEqualTo(gpus);
        }

        public void doesNotFit() {
            assertThat(grant).isNull();
        }
    }
}
