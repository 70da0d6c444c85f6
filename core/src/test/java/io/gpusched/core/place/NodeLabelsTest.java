package io.gpusched.core.place;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;

import org.junit.jupiter.api.Test;

import java.util.Objects;

/// Labels of nodes: who asks for them finds them, and who does not pays nothing for them.
final class NodeLabelsTest {
    private static final String HOST = "kubernetes.io/hostname";

    private static Scene fleet(int nodes, boolean labelled) {
        var fleet = new Node[nodes];
        for (int i = 0; i < nodes; i++) {
            var node = aNode("n" + i).label("rack", "r" + i / 100);
            fleet[i] = (labelled ? node.label(HOST, "n" + i) : node).build();
        }
        return Scene.with(fleet);
    }

    private static CycleResult.Work work(Scene scene, JobBuilder job) {
        assertThat(scene.phase(scene.submit(job))).isEqualTo("Starting");
        return Objects.requireNonNull(scene.last()).work();
    }

    @Test
    void aLabelThatDiffersFromNodeToNodeCostsNothingToThoseWhoDoNotAskForIt() {
        Scene with = fleet(10_000, true);
        Scene without = fleet(10_000, false);
        assertThat(with.engine().state().nodes().index().groups()).isEqualTo(1);
        for (int i = 0; i < 20; i++) {
            assertThat(work(with, aJob().gpus(1))).isEqualTo(work(without, aJob().gpus(1)));
        }
        assertThat(work(with, aJob().gpus(1)).nodesLookedAt()).isLessThan(40);
    }

    @Test
    void whoAsksForALabelLooksOnlyAtNodesThatCarryIt() {
        Scene scene = fleet(10_000, true);
        JobId job = scene.submit(aJob().gpus(8).onNodesWith(HOST, "n9876"));
        assertThat(scene.where(job)).contains("n9876");
        assertThat(Objects.requireNonNull(scene.last()).work().nodesLookedAt()).isLessThan(10);
        JobId second = scene.submit(aJob().gpus(1).onNodesWith(HOST, "n9876"));
        assertThat(scene.phase(second)).isEqualTo("Waiting");
        JobId gang = scene.submit(aJob().gpus(8).tasks(100).onNodesWith("rack", "r7"));
        assertThat(scene.run(gang).on().slots())
                .hasSize(100)
                .allMatch(slot -> slot.node().name().matches("n7\\d\\d"));
        JobId both =
                scene.submit(aJob().gpus(1).onNodesWith("rack", "r8").onNodesWith(HOST, "n812"));
        assertThat(scene.where(both)).contains("n812");
        assertThat(
                        scene.phase(
                                scene.submit(
                                        aJob().onNodesWith("rack", "r8").onNodesWith(HOST, "n9"))))
                .isEqualTo("Waiting");
    }

    @Test
    void labelsThatComeAndGoAreNoticed() {
        Scene scene = Scene.with(aNode("n1").build(), aNode("n2").label("disk", "fast").build());
        JobId job = scene.submit(aJob().onNodesWith("disk", "faster"));
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        scene.join(aNode("n1").label("disk", "faster").build());
        assertThat(scene.where(job)).contains("n1");
        scene.join(aNode("n1").build());
        assertThat(scene.phase(scene.submit(aJob().onNodesWith("disk", "faster"))))
                .isEqualTo("Waiting");
        assertThat(scene.where(scene.submit(aJob().onNodesWith("disk", "fast")))).contains("n2");
    }

    @Test
    void aRestoredLedgerFindsTheSameNodes() {
        Scene scene = fleet(300, true);
        for (int i = 0; i < 30; i++) {
            scene.submit(aJob().gpus(1 + i % 8).onNodesWith("rack", "r" + i % 3));
        }
        Engine restored =
                Engine.restore(
                        scene.engine().image(), scene.engine().policy(), EngineSettings.DEFAULT);
        JobId waits = scene.submit(aJob().gpus(9));
        assertThat(scene.phase(waits)).isEqualTo("Waiting");
        JobId next = scene.submit(aJob().gpus(3).onNodesWith("rack", "r1"));
        scene.journal().replay(restored.lastBatch(), restored::apply);
        assertThat(Objects.requireNonNull(restored.state().job(next)).phase())
                .isEqualTo(scene.job(next).phase());
    }
}
