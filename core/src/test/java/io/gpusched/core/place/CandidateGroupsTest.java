package io.gpusched.core.place;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.TopologyLevels;
import io.gpusched.core.nodes.NodeIndex;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/// Every kind of node that could run a task has its candidates, however many kinds there are.
final class CandidateGroupsTest {
    private static final int EACH = 20;

    private static NodeBuilder ofPool(int pool, int number) {
        return aNode("p" + pool + "-" + number).taint("pool" + pool);
    }

    /// A job that tolerates the taints of all pools.
    private static JobBuilder anywhere(int pools) {
        JobBuilder job = aJob();
        for (int pool = 0; pool < pools; pool++) {
            job.tolerating("pool" + pool);
        }
        return job;
    }

    /// Pools of A100 nodes, each a group of its own, and the last one of L4 nodes.
    private static Scene fleet(int pools) {
        var nodes = new ArrayList<Node>();
        for (int pool = 0; pool < pools; pool++) {
            for (int number = 0; number < EACH; number++) {
                nodes.add(
                        ofPool(pool, number).model(pool == pools - 1 ? "L4" : "A100-80GB").build());
            }
        }
        return Scene.with(nodes.toArray(Node[]::new));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 5, 7, 9, 13, 16, 17, 40})
    void aSmallJobTakesAnL4AndNotAnA100(int pools) {
        Scene scene = fleet(pools);
        JobId job = scene.submit(anywhere(pools));
        assertThat(scene.where(job)).isEqualTo("p" + (pools - 1) + "-0[0]");
    }

    /// How many candidates each group has for a task of one GPU.
    private static int[] candidates(Scene scene, JobBuilder job) {
        var state = scene.engine().state();
        var policy = scene.engine().policy();
        var nodeSearch = new NodeSearch(state, policy, TopologyLevels.DEFAULT);
        var counts = new int[state.nodes().index().groups()];
        new CandidateSelector(state, policy)
                .gather(
                        job.waiting(1, scene.now()),
                        job.shape(),
                        nodeSearch.suits(job.shape()),
                        node -> {
                            counts[state.nodes().index().groupOf(node)]++;
                            return true;
                        });
        return counts;
    }

    @Test
    void groupsGetEquallyManyCandidatesOrOneMore() {
        assertThat(candidates(fleet(1), anywhere(1))).containsExactly(16);
        assertThat(candidates(fleet(5), anywhere(5))).containsExactly(4, 3, 3, 3, 3);
        assertThat(candidates(fleet(7), anywhere(7))).containsExactly(3, 3, 2, 2, 2, 2, 2);
        assertThat(candidates(fleet(9), anywhere(9))).containsExactly(2, 2, 2, 2, 2, 2, 2, 1, 1);
        assertThat(candidates(fleet(20), anywhere(20))).hasSize(20).containsOnly(1);
    }

    @Test
    void candidatesThatASmallGroupLacksComeFromTheOthers() {
        Scene scene = fleet(2);
        scene.join(aNode("single").gpus(4).build());
        assertThat(candidates(scene, anywhere(2))).containsExactly(8, 7, 1);
    }

    @Test
    void groupsThatDoNotSuitGetNone() {
        assertThat(candidates(fleet(5), anywhere(3))).containsExactly(6, 5, 5, 0, 0);
    }

    @Test
    void aGroupWithNodesOnManyShelvesDoesNotHideAnEmptyOne() {
        Scene scene = fleet(2);
        for (int i = 0; i < EACH; i++) {
            scene.submit(aJob().gpus(1 + i % 4).tolerating("pool0"));
        }
        int[] counts = candidates(scene, anywhere(2));
        assertThat(counts[0] + counts[1]).isEqualTo(16);
        assertThat(counts[1]).isEqualTo(8);
    }

    @Test
    void nodesThatDifferInCoresAndMemoryAreOneGroup() {
        var nodes = new ArrayList<Node>();
        for (int i = 0; i < 300; i++) {
            nodes.add(aNode("n" + i).cores(8 + i % 60).memoryMiB(100_000 + i).build());
        }
        Scene scene = Scene.with(nodes.toArray(Node[]::new));
        assertThat(scene.engine().state().nodes().index().groups()).isEqualTo(1);
        assertThat(scene.where(scene.submit(aJob().memoryMiB(100_299)))).isEqualTo("n299[0]");
        JobId most = scene.submit(aJob().cores(67).gpus(8));
        assertThat(scene.where(most)).isEqualTo("n59[0-7]");
        JobId gang = scene.submit(aJob().tasks(3).gpus(8).memoryMiB(100_296));
        assertThat(scene.where(gang)).contains("n296", "n297", "n298");
        JobId tooLarge = scene.submit(aJob().memoryMiB(100_300));
        assertThat(scene.phase(tooLarge)).isEqualTo("Waiting");
        assertThat(scene.explainer().explain(tooLarge).summary())
                .contains("too few cores or too little memory");
    }

    @Test
    void aNodeThatIsDescribedLargerRunsWhatItRefused() {
        Scene scene = Scene.with(aNode("n1").cores(4).agent("a1").build());
        JobId job = scene.submit(aJob().cores(6));
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        hello(scene, aNode("n1").cores(8).agent("a1").build());
        assertThat(scene.where(job)).isEqualTo("n1[0]");
    }

    private static void hello(Scene scene, Node node) {
        scene.tell(hello(node));
    }

    private static Report.Hello hello(Node node) {
        var agent = new Agent(node.agent(), Agent.Custody.SELF_FENCING, 0);
        return new Report.Hello(agent, List.of(node), List.of());
    }

    private static Node churned(Random random, int number) {
        return ofPool(random.nextInt(12), number)
                .agent("a" + number)
                .model(random.nextBoolean() ? "A100-80GB" : "L4")
                .cores(8 + random.nextInt(60))
                .build();
    }

    /// The node with the same name in every pool.
    private static Node named(Node node, int number) {
        return new Node(
                new NodeId("n" + number),
                node.agent(),
                node.address(),
                node.gpus(),
                node.topology(),
                node.host(),
                node.taints(),
                node.labels());
    }

    @Test
    void aRestartDecidesAsIfItHadNotHappenedAlsoWhenNodesChangeTheirKind() {
        for (long seed = 0; seed < 40; seed++) {
            var random = new Random(seed);
            var scene = new Scene("priority");
            for (int number = 0; number < 60; number++) {
                hello(scene, named(churned(random, number), number));
            }
            for (int i = 0; i < 60; i++) {
                int number = random.nextInt(60);
                hello(scene, named(churned(random, number), number));
            }
            Engine restored =
                    Engine.restore(
                            scene.engine().image(),
                            scene.engine().policy(),
                            EngineSettings.DEFAULT);
            assertThat(groups(restored)).isEqualTo(groups(scene.engine()));
            var journal = new MemoryJournal();
            scene.journal().replay(0, batch -> journal.append(batch, () -> {}));
            var cell = new Cell(restored, journal, a -> {}, (batch, cycleResult) -> {});
            for (int i = 0; i < 60; i++) {
                var spec = anywhere(12).gpus(1 + random.nextInt(3)).spec();
                var submit = new Command.Submit(spec, "", 0, false, "tester");
                scene.tell(submit);
                cell.handle(List.of(submit), scene.now());
            }
            for (long number = 1; number <= 60; number++) {
                Run run =
                        Objects.requireNonNull(restored.state().job(new JobId(number)))
                                .phase()
                                .run();
                assertThat(run == null ? "Waiting" : run.on().toString())
                        .as("job %s, seed %s", number, seed)
                        .isEqualTo(scene.where(new JobId(number)));
            }
        }
    }

    /// The groups by number, each with its members.
    private static List<List<String>> groups(Engine engine) {
        NodeIndex index = engine.state().nodes().index();
        var groups = new ArrayList<List<String>>();
        for (int group = 0; group < index.groups(); group++) {
            var members = new ArrayList<String>();
            for (int at = index.next(group, 0); at >= 0; at = index.next(group, at + 1)) {
                members.add(index.member(at).facts().id().name());
            }
            groups.add(members);
        }
        return groups;
    }

    private static final Instant LATER = Instant.parse("2027-01-01T00:00:00Z");

    private static Node tainted(int number, String taint) {
        NodeBuilder node = aNode("n" + number).gpus(1).agent("a" + number);
        return (taint.isEmpty() ? node : node.taint(taint)).build();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1000, 30_000})
    void aChangedNodeMovesAloneHoweverManyAreDescribedAlike(int nodes) {
        Engine engine = new Scene("priority").engine();
        for (int number = 0; number < nodes; number++) {
            engine.apply(new Event.NodeJoined(LATER, tainted(number, "")));
        }
        NodeIndex index = engine.state().nodes().index();
        long before = index.moved();
        int middle = nodes / 2;
        engine.apply(new Event.NodeJoined(LATER, tainted(middle, "a")));
        engine.apply(new Event.NodeJoined(LATER, tainted(middle, "")));
        engine.apply(new Event.NodeJoined(LATER, tainted(0, "a")));
        engine.apply(new Event.NodeJoined(LATER, tainted(0, "")));
        assertThat(index.groups()).isEqualTo(1);
        assertThat(index.moved() - before).isLessThanOrEqualTo(8);
        before = index.moved();
        Node labelled = aNode("n7").gpus(1).agent("a7").label("rack", "r1").build();
        engine.apply(new Event.NodeJoined(LATER, labelled));
        engine.apply(new Event.NodeJoined(LATER, tainted(7, "")));
        assertThat(index.moved() - before).isZero();
    }

    @Test
    void aGroupWithoutNodesIsDropped() {
        var scene = new Scene("priority");
        for (int pool = 0; pool < 1_000; pool++) {
            hello(scene, named(ofPool(pool, 0).agent("a").build(), 0));
        }
        assertThat(scene.engine().state().nodes().index().groups()).isEqualTo(1);
    }
}
