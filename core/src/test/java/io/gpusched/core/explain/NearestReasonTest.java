package io.gpusched.core.explain;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.policy.RefusalCount;

import org.junit.jupiter.api.Test;

import java.util.Objects;

/// Of many reasons the summary tells the one that is nearest to being lifted.
final class NearestReasonTest {
    /// Seven nodes that never can, and one that can.
    private static Scene scene(NodeBuilder h100) {
        var scene = new Scene("priority");
        for (int i = 1; i <= 7; i++) {
            scene.join(aNode("a" + i).model("A100-80GB").build());
        }
        scene.join(h100.build());
        return scene;
    }

    private static NodeBuilder anH100() {
        return aNode("h1").model("H100-80GB");
    }

    private static JobBuilder aJobForH100() {
        return aJob().gpus(4).model("H100");
    }

    private static Explanation explain(Scene scene, JobBuilder job) {
        return scene.explainer().explain(scene.submit(job));
    }

    private static void cordon(Scene scene, String node) {
        scene.tell(new Command.Cordon(new NodeId(node), "me"));
    }

    private static RefusalCount reason(Explanation why, String by) {
        return why.reasons().stream()
                .filter(refusalCount -> refusalCount.refusal().by().equals(by))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aCordonedNodeOfTheModelSaysMoreThanManyOfAnother() {
        Scene scene = scene(anH100());
        cordon(scene, "h1");
        Explanation why = explain(scene, aJobForH100());
        assertThat(why.summary())
                .isEqualTo(
                        "waits for 4 GPUs: node is cordoned (h1); an administrator opens it with"
                                + " gpu-cli uncordon h1");
        assertThat(reason(why, "closed").lifts()).containsExactly("gpu-cli uncordon h1");
        assertThat(reason(why, "gpu-model").nodes()).isEqualTo(7);
    }

    @Test
    void whoDrainsIsOpenedInTheSameWay() {
        Scene scene = scene(anH100());
        scene.tell(new Command.Drain(new NodeId("h1"), false, "me"));
        assertThat(explain(scene, aJobForH100()).summary())
                .endsWith(
                        "node is draining (h1); an administrator opens it with gpu-cli uncordon"
                                + " h1");
    }

    @Test
    void aCordonedNodeOfAnotherModelIsNotToldOf() {
        Scene scene = scene(anH100());
        cordon(scene, "a1");
        scene.submit(aJobForH100().gpus(8));
        Explanation why = explain(scene, aJob().gpus(1).model("V100"));
        assertThat(why.summary()).contains("node has none of [V100]").doesNotContain("cordon");
        assertThat(why.reasons()).hasSize(1);
    }

    @Test
    void aCordonedNodeWithoutTheLabelIsNotToldOf() {
        Scene scene = Scene.with(aNode("n1").build(), aNode("n2").label("zone", "b").build());
        cordon(scene, "n1");
        scene.submit(aJob().gpus(8));
        assertThat(explain(scene, aJob().onNodesWith("zone", "b")).reasons())
                .extracting(refusalCount -> refusalCount.refusal().by())
                .containsExactly("free-gpus", "node-selector");
    }

    @Test
    void aFullNodeOfTheModelIsWaitedForWhateverIsClosed() {
        Scene scene = scene(anH100());
        scene.join(aNode("h2").model("H100-80GB").build(), aNode("h3").model("H100-80GB").build());
        cordon(scene, "h2");
        cordon(scene, "h3");
        scene.submit(aJobForH100().gpus(6));
        assertThat(explain(scene, aJobForH100()).summary())
                .isEqualTo("waits for 4 GPUs: 2 free GPUs, a task asks for 4");
    }

    @Test
    void aTaintIsNearerThanAModelAndFartherThanACordon() {
        Scene tainted = scene(anH100().taint("spot"));
        Explanation why = explain(tainted, aJobForH100());
        assertThat(why.summary()).contains("node is tainted spot=").contains("(h1)");
        assertThat(reason(why, "taint").lifts().getFirst()).startsWith("the job tolerates spot=");
        tainted.join(aNode("h2").model("H100-80GB").build());
        cordon(tainted, "h2");
        assertThat(explain(tainted, aJobForH100()).summary()).contains("gpu-cli uncordon h2");
    }

    @Test
    void ofManyClosedNodesTheFirstAreNamed() {
        var scene = new Scene("priority");
        for (int i = 1; i <= 5; i++) {
            scene.join(aNode("n" + i).build());
            cordon(scene, "n" + i);
        }
        Explanation why = explain(scene, aJob());
        assertThat(Objects.requireNonNull(RefusalCount.main(why.reasons())).why())
                .isEqualTo("node is cordoned (n1, n2, n3, …)");
    }
}
