package io.gpusched.core.place;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeRequirement;
import io.gpusched.core.model.NodeRequirement.Operator;
import io.gpusched.core.model.TopologyLevels;
import io.gpusched.core.nodes.NodeView;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// The search for nodes with certain labels.
final class NodeRequirementSearchTest {
    private static final List<String> VALUES = List.of("1", "2", "3", "4", "5");

    private static NodeRequirement required(String key, Operator operator, String... values) {
        return new NodeRequirement(key, operator, List.of(values));
    }

    @Test
    void aJobStartsOnANodeThatMeetsItsRequirements() {
        Scene scene = Scene.with(inZone("n1", "a"), inZone("n2", "b"), inZone("n3", "c"));
        JobId job = scene.submit(aJob().requiring(required("zone", Operator.NOT_IN, "a", "c")));
        assertThat(scene.where(job)).isEqualTo("n2[0]");
    }

    private static Node inZone(String name, String zone) {
        return aNode(name).label("zone", zone).build();
    }

    @Test
    void aJobThatNoNodeSuitsIsWarned() {
        Scene scene = Scene.with(inZone("n1", "a"));
        JobBuilder job = aJob().requiring(required("zone", Operator.IN, "b", "c"));
        Answer answer = scene.tell(new Command.Submit(job.spec(), "", 0, false, "tester"));
        assertThat(((Answer.Accepted) answer).warnings())
                .anySatisfy(warning -> assertThat(warning).contains("zone in (b, c)"));
    }

    @Test
    void aJobStartsWhenANodeIsRelabelled() {
        Scene scene = Scene.with(inZone("n1", "a"));
        JobId job = scene.submit(aJob().requiring(required("zone", Operator.IN, "b")));
        assertThat(scene.where(job)).isEqualTo("Waiting");
        scene.tell(new Report.NodeDescribed(inZone("n1", "b")));
        assertThat(scene.where(job)).isEqualTo("n1[0]");
    }

    /// The index finds the same nodes as a look at each of them.
    @Test
    void theIndexFindsWhatALookAtEachNodeFinds() {
        for (int seed = 1; seed <= 200; seed++) {
            var random = new Random(seed);
            var nodes = new ArrayList<Node>();
            for (int number = 0; number < 30; number++) {
                nodes.add(randomNode("n" + number, random));
            }
            Scene scene = Scene.with(nodes.toArray(Node[]::new));
            JobBuilder job = randomJob(random);
            assertThat(found(scene, job)).as("seed %s", seed).isEqualTo(expected(scene, job));
        }
    }

    private static Node randomNode(String name, Random random) {
        NodeBuilder node = aNode(name).cores(random.nextInt(1, 4));
        for (String key : List.of("a", "b", "c")) {
            if (random.nextBoolean()) {
                node = node.label(key, VALUES.get(random.nextInt(VALUES.size())));
            }
        }
        return node.build();
    }

    private static JobBuilder randomJob(Random random) {
        JobBuilder job = aJob().cores(random.nextInt(1, 4));
        if (random.nextInt(4) == 0) {
            job.onNodesWith("a", "1");
        }
        for (int alternatives = random.nextInt(1, 4); alternatives > 0; alternatives--) {
            var all = new ArrayList<NodeRequirement>();
            for (int each = random.nextInt(1, 3); each > 0; each--) {
                Operator operator = Operator.values()[random.nextInt(Operator.values().length)];
                String key = List.of("a", "b", "c").get(random.nextInt(3));
                int first = random.nextInt(VALUES.size());
                all.add(new NodeRequirement(key, operator, VALUES.subList(first, VALUES.size())));
            }
            job.requiring(all.toArray(NodeRequirement[]::new));
        }
        return job;
    }

    private static List<String> found(Scene scene, JobBuilder job) {
        var state = scene.engine().state();
        var search = new NodeSearch(state, scene.engine().policy(), TopologyLevels.DEFAULT);
        NodeSearch.Suitable suits = search.suits(job.shape());
        var index = state.nodes().index();
        var names = new ArrayList<String>();
        for (int group = 0; group < index.groups(); group++) {
            for (int at = suits.groups[group] ? suits.next(index, group, 8, 0) : -1;
                    at >= 0;
                    at = suits.next(index, group, 8, at + 1)) {
                names.add(index.member(at).facts().id().name());
            }
        }
        return names;
    }

    private static List<String> expected(Scene scene, JobBuilder job) {
        var names = new ArrayList<String>();
        for (NodeView node : scene.engine().state().nodes().all()) {
            if (job.shape().selects(node.facts().labels())
                    && job.shape().host().fitsIn(node.facts().host())) {
                names.add(node.facts().id().name());
            }
        }
        return names;
    }
}
