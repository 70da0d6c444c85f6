package io.gpusched.core.place;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Slot;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.TreeMap;

/// Gangs that must, or would like to, share a rack, a block, a zone.
final class GangProximityTest {
    /// Nodes written as `name block/rack gpus`; a dash stands for no label.
    private static Scene fleet(String... nodes) {
        return Scene.with(Arrays.stream(nodes).map(GangProximityTest::node).toArray(Node[]::new));
    }

    private static Node node(String text) {
        String[] words = text.split(" ");
        String[] place = words[1].split("/");
        var node = aNode(words[0]).gpus(Integer.parseInt(words[2]));
        node = place[0].equals("-") ? node : node.label("block", place[0]);
        node = place[1].equals("-") ? node : node.label("topology.kubernetes.io/rack", place[1]);
        return node.build();
    }

    /// How many tasks are on each node, as `n1=4 n2=4`.
    private static String spread(Scene scene, JobId job) {
        if (scene.job(job).phase().run() == null) {
            return scene.phase(job);
        }
        var tasks = new TreeMap<String, Integer>();
        for (Slot slot : scene.run(job).on().slots()) {
            tasks.merge(slot.node().name(), 1, Integer::sum);
        }
        return tasks.toString().replaceAll("[{},]", "");
    }

    private static String why(Scene scene, JobId job) {
        return scene.explainer().explain(job).summary();
    }

    @Test
    void theFullestRackThatTakesAllIsPreferred() {
        Scene scene = fleet("a1 b/r1 8", "a2 b/r1 8", "c1 b/r2 4", "c2 b/r2 3", "d1 b/r3 4");
        assertThat(spread(scene, scene.submit(aJob().tasks(6).near("rack"))))
                .isEqualTo("c1=4 c2=2");
    }

    @Test
    void withoutAWishOnlyNodesCount() {
        Scene scene = fleet("a1 b/r1 4", "c1 b/r2 8", "a2 b/r1 4");
        assertThat(spread(scene, scene.submit(aJob().tasks(8)))).isEqualTo("c1=8");
    }

    @Test
    void asFewRacksAsPossibleWhereNoneTakesAll() {
        Scene scene = fleet("a b/r1 2", "c b/r2 4", "d b/r2 3", "e b/r3 5", "f b/r4 4", "g b/r4 2");
        assertThat(spread(scene, scene.submit(aJob().tasks(12).near("rack"))))
                .as("7 in r2, and 5 in r3, which is the fullest that takes the rest")
                .isEqualTo("c=4 d=3 e=5");
    }

    @Test
    void oneRackIsRequiredAndTheJobWaitsForIt() {
        Scene scene = fleet("a b/r1 4", "c b/r2 4", "d b/r2 2");
        JobId job = scene.submit(aJob().tasks(8).within("rack"));
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        assertThat(why(scene, job))
                .isEqualTo(
                        "waits for 8 tasks at once, 8 GPUs: no rack is large enough even when idle:"
                                + " the largest, r2, can run 6 of 8 tasks");
        scene.join(node("e b/r2 2"));
        assertThat(spread(scene, job)).isEqualTo("c=4 d=2 e=2");
    }

    @Test
    void aRackIsPreferredInsideTheBlockThatIsRequired() {
        Scene scene = fleet("a x/r1 4", "c x/r2 4", "d y/r3 3", "e y/r4 3", "f y/r5 2", "g x/r6 1");
        assertThat(spread(scene, scene.submit(aJob().tasks(3).within("block").near("rack"))))
                .isEqualTo("d=3");
        assertThat(spread(scene, scene.submit(aJob().tasks(5).within("block").near("rack"))))
                .as("both blocks would do; y is fuller and needs as few racks")
                .isEqualTo("e=3 f=2");
        JobId large = scene.submit(aJob().tasks(10).within("block").near("rack"));
        assertThat(scene.phase(large)).isEqualTo("Waiting");
        assertThat(why(scene, large)).endsWith("the largest, x, can run 9 of 10 tasks");
    }

    @Test
    void ofTheBlocksThatDoTheOneWithFewerRacksIsTaken() {
        Scene scene = fleet("a x/r1 2", "c x/r2 2", "d x/r3 2", "e y/r4 4", "f y/r5 3");
        assertThat(spread(scene, scene.submit(aJob().tasks(6).near("block").near("rack"))))
                .isEqualTo("e=4 f=2");
    }

    @Test
    void racksOfOneNameInTwoBlocksAreTwoRacks() {
        Scene scene = fleet("a x/r1 4", "c y/r1 4");
        JobId job = scene.submit(aJob().tasks(8).within("rack"));
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        assertThat(spread(scene, scene.submit(aJob().tasks(8).near("rack")))).isEqualTo("a=4 c=4");
    }

    @Test
    void aNodeThatDoesNotTellItsRackIsInNone() {
        Scene scene = fleet("a b/- 8", "c b/- 8", "d b/r1 4");
        assertThat(scene.phase(scene.submit(aJob().tasks(8).within("rack")))).isEqualTo("Waiting");
        assertThat(spread(scene, scene.submit(aJob().tasks(10).near("rack")))).isEqualTo("a=8 d=2");
    }

    @Test
    void oneNodeIsALevelToo() {
        Scene scene = fleet("a b/r1 4", "c b/r1 8");
        assertThat(spread(scene, scene.submit(aJob().tasks(3).within("node")))).isEqualTo("a=3");
        assertThat(spread(scene, scene.submit(aJob().tasks(8).within("node")))).isEqualTo("c=8");
        assertThat(scene.phase(scene.submit(aJob().tasks(2).within("node")))).isEqualTo("Waiting");
    }

    @Test
    void roomIsMadeInOneRack() {
        Scene scene = fleet("a b/r1 4", "c b/r1 4", "d b/r2 4", "e b/r2 4");
        scene.tenant("weak", 16, true);
        for (int i = 0; i < 4; i++) {
            scene.submit(aJob().of("weak").gpus(4).priority(1));
        }
        JobId gang = scene.submit(aJob().tasks(2).gpus(4).priority(500).within("rack"));
        assertThat(scene.phase(gang)).isEqualTo("Waiting");
        assertThat(scene.engine().state().runs().preemptible())
                .filteredOn(job -> job.phase() instanceof Phase.Stopping)
                .hasSize(2);
        assertThat(scene.engine().state().claims().getFirst().slots())
                .extracting(slot -> rack(scene, slot))
                .hasSize(2)
                .containsOnly("r2");
    }

    private static String rack(Scene scene, Slot slot) {
        return scene.engine().state().nodes().all().stream()
                .filter(node -> node.facts().id().equals(slot.node()))
                .map(node -> node.facts().labels().value("topology.kubernetes.io/rack"))
                .findAny()
                .orElseThrow();
    }

    @Test
    void aLevelNobodyKnowsIsRefused() {
        assertThat(refusal(fleet("a b/r1 4"), aJob().tasks(2).near("rak")))
                .isEqualTo(
                        new Problem(
                                Problem.Code.INVALID,
                                "near",
                                "there is no level \"rak\"",
                                "did you mean rack? the levels are zone, block, rack, node"));
    }

    @Test
    void aRequiredLevelThatNoNodeTellsIsRefused() {
        assertThat(refusal(fleet("a b/- 4"), aJob().tasks(2).within("rack")))
                .isEqualTo(
                        new Problem(
                                Problem.Code.INVALID,
                                "within",
                                "no node tells its rack, which the job requires",
                                "say block instead, or label the nodes with"
                                        + " topology.kubernetes.io/rack or rack"));
        assertThat(refusal(fleet("a -/r1 4"), aJob().tasks(2).within("zone")).hint())
                .startsWith("say rack");
        assertThat(new Scene("priority").submit(aJob().tasks(2).within("rack")))
                .as("without nodes nobody can tell yet")
                .isNotNull();
    }

    private static Problem refusal(Scene scene, JobBuilder job) {
        Answer answer = scene.tell(new Command.Submit(job.spec(), "", 0, false, "tester"));
        assertThat(answer).isInstanceOf(Answer.Rejected.class);
        return ((Answer.Rejected) answer).problems().getFirst();
    }
}
