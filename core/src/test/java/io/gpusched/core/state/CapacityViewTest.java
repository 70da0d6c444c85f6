package io.gpusched.core.state;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.nodes.Trial;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/// Views of several jobs are independent: each shows what its job may use.
final class CapacityViewTest {
    private static final NodeId NODE = new NodeId("n1");

    private final Scene scene = Scene.with(aNode("n1").build(), aNode("n2").gpus(1).build());
    private final ClusterState state = scene.engine().state();

    /// The job with a reservation of all of n1, on which 4 of 8 GPUs are in use.
    private final JobId holder = reserved();

    private JobId reserved() {
        scene.runs(scene.submit(aJob().gpus(4)));
        return scene.submit(aJob().gpus(8));
    }

    private Instant begins() {
        Claim claim = state.claims().getFirst();
        assertThat(claim.isFor(holder)).isTrue();
        return claim.from();
    }

    private static int free(ClusterView view) {
        return Long.bitCount(Objects.requireNonNull(view.nodes().find(NODE)).freeGpus());
    }

    private CapacityView of(long job, Instant endsBy, boolean first) {
        return CapacityView.of(state, new JobId(job), endsBy, first);
    }

    @Test
    void eachViewShowsWhatItsJobMayUse() {
        CapacityView own = CapacityView.of(state, holder, Instant.MAX, false);
        CapacityView brief = of(99, begins(), false);
        CapacityView overlong = of(99, begins().plus(Duration.ofSeconds(1)), false);
        CapacityView ahead = of(99, Instant.MAX, true);
        assertThat(free(own)).isEqualTo(4);
        assertThat(free(brief)).isEqualTo(4);
        assertThat(free(overlong)).isZero();
        assertThat(free(ahead)).isEqualTo(4);
        assertThat(free(state)).isZero();
        assertThat(free(own)).isEqualTo(4);
    }

    @Test
    void aNodeIsShownByTheLastViewApplied() {
        CapacityView own = CapacityView.of(state, holder, Instant.MAX, false);
        CapacityView other = of(99, Instant.MAX, false);
        NodeView shown = own.show(other.show(Objects.requireNonNull(state.nodes().find(NODE))));
        assertThat(Long.bitCount(shown.freeGpus())).isEqualTo(4);
        assertThat(state.nodes().index().groupOf(shown))
                .isEqualTo(
                        state.nodes()
                                .index()
                                .groupOf(Objects.requireNonNull(state.nodes().find(NODE))));
    }

    @Test
    void allNodesAreShownToo() {
        CapacityView own = CapacityView.of(state, holder, Instant.MAX, false);
        CapacityView other = of(99, Instant.MAX, false);
        assertThat(own.nodes().all())
                .extracting(n -> Long.bitCount(n.freeGpus()))
                .containsExactly(4, 1);
        assertThat(other.nodes().all())
                .extracting(n -> Long.bitCount(n.freeGpus()))
                .containsExactly(0, 1);
    }

    @Test
    void aNodeWithoutClaimsIsShownAsItIs() {
        NodeView unclaimed = Objects.requireNonNull(state.nodes().find(new NodeId("n2")));
        assertThat(of(99, Instant.MAX, false).show(unclaimed)).isSameAs(unclaimed);
    }

    @Test
    void aViewShowsTrials() {
        CapacityView own = CapacityView.of(state, holder, Instant.MAX, false);
        try (Trial trial = state.trial()) {
            trial.evict(scene.run(new JobId(1)));
            assertThat(free(own)).isEqualTo(8);
        }
        assertThat(free(own)).isEqualTo(4);
    }
}
