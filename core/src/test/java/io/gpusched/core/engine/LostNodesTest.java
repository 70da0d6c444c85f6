package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Run;
import io.gpusched.core.nodes.NodeView;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;

/// Nodes that a cluster no longer has.
final class LostNodesTest {
    private static final AgentId CLUSTER = new AgentId("cluster");
    private static final Node N1 = aNode("n1").agent("cluster").build();
    private static final Node N2 = aNode("n2").agent("cluster").build();

    private final Scene scene = Scene.with();

    LostNodesTest() {
        scene.tell(hello(N1, N2));
    }

    private static Report hello(Node... nodes) {
        var cluster = new Agent(CLUSTER, Agent.Custody.EXTERNAL, 0);
        return new Report.Hello(cluster, List.of(nodes), List.of());
    }

    private static Report gone(Node... nodes) {
        return new Report.NodesGone(CLUSTER, List.of(nodes).stream().map(Node::id).toList());
    }

    private NodeStatus.Reach reach(Node node) {
        NodeView known = scene.engine().state().nodes().find(node.id());
        return Objects.requireNonNull(known).status().reach();
    }

    private List<String> nodes() {
        return scene.engine().state().nodes().all().stream()
                .map(node -> node.facts().id().name())
                .toList();
    }

    @Test
    void aJobOfADeletedNodeStartsElsewhereAtOnce() {
        JobId job = scene.submit(aJob().gpus(8));
        scene.runs(job);
        scene.tell(gone(N1));
        assertThat(nodes()).containsExactly("n2");
        assertThat(scene.where(job)).isEqualTo("n2[0-7]");
    }

    @Test
    void aNodeWithTheRestOfAGangIsRemovedWhenTheGangHasStopped() {
        JobId job = scene.submit(aJob().gpus(8).tasks(2));
        scene.runs(job);
        Run run = scene.run(job);
        scene.tell(gone(N2));
        assertThat(scene.phase(job)).isEqualTo("Stopping");
        assertThat(reach(N2)).isEqualTo(NodeStatus.Reach.LOST);
        scene.tell(new Report.TaskEnded(run.id(), 0, new Exit(Exit.How.STOPPED, 143, "")));
        assertThat(nodes()).containsExactly("n1");
        assertThat(scene.phase(job)).isEqualTo("Waiting");
    }

    @Test
    void aNodeThatIsNotNamedAtTheNextHelloIsRemoved() {
        scene.tell(hello(N1));
        assertThat(nodes()).containsExactly("n1");
    }

    @Test
    void aNodeOfAnAgentOfOurOwnStaysAndIsLost() {
        Node n3 = aNode("n3").agent("a").build();
        Node n4 = aNode("n4").agent("a").build();
        scene.join(n3, n4);
        scene.tell(
                new Report.Hello(
                        new Agent(new AgentId("a"), Agent.Custody.SELF_FENCING, 0),
                        List.of(n3),
                        List.of()));
        assertThat(nodes()).containsExactly("n1", "n2", "n3", "n4");
    }

    @Test
    void onlyItsOwnAgentSaysThatANodeIsGone() {
        scene.join(aNode("n3").agent("a").build());
        scene.tell(new Report.NodesGone(CLUSTER, List.of(new NodeId("n3"), new NodeId("n9"))));
        assertThat(nodes()).containsExactly("n1", "n2", "n3");
    }

    @Test
    void aNodeThatIsDescribedAgainBeforeItWasRemovedIsUp() {
        JobId job = scene.submit(aJob().gpus(8).tasks(2));
        scene.runs(job);
        scene.tell(gone(N2));
        scene.tell(new Report.NodeDescribed(N2));
        assertThat(reach(N2)).isEqualTo(NodeStatus.Reach.UP);
    }

    @Test
    void theTasksOfASilentClusterAreLostOnlyWhenAPersonSaysSo() {
        JobId job = scene.submit(aJob().gpus(8));
        scene.runs(job);
        scene.tell(new Report.Silent(CLUSTER));
        scene.tell(new Report.Fenced(CLUSTER));
        assertThat(scene.phase(job)).isEqualTo("Running");
        scene.tell(new Command.DeclareLost(N1.id(), false, "me"));
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        assertThat(nodes()).containsExactly("n2");
        scene.tell(hello(N1, N2));
        assertThat(scene.phase(job)).isEqualTo("Starting");
    }

    @Test
    void aWholeClusterMayBeDeclaredLost() {
        JobId job = scene.submit(aJob().gpus(8).tasks(2));
        scene.runs(job);
        scene.tell(new Report.Silent(CLUSTER));
        scene.tell(new Command.DeclareLost(N1.id(), true, "me"));
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        assertThat(nodes()).isEmpty();
    }

    @Test
    void whatIsNotSilentOrEndsByItselfIsNotDeclaredLost() {
        scene.join(aNode("n3").agent("a").build());
        for (String node : List.of("n1", "n3", "n9")) {
            var command = new Command.DeclareLost(new NodeId(node), false, "me");
            assertThat(scene.tell(command)).as(node).isInstanceOf(Answer.Rejected.class);
        }
    }

    @Test
    void aNodeJoinsByItsDescription() {
        scene.tell(new Report.NodeDescribed(aNode("n3").agent("cluster").build()));
        assertThat(nodes()).containsExactly("n1", "n2", "n3");
    }

    @Test
    void replayAndImageAgree() {
        JobId job = scene.submit(aJob().gpus(8).tasks(2));
        scene.runs(job);
        scene.tell(gone(N2));
        var policy = scene.engine().policy();
        var replayed = new Engine(policy, EngineSettings.DEFAULT);
        scene.journal().replay(0, replayed::apply);
        assertThat(replayed.digest()).isEqualTo(scene.engine().digest());
        var restored = Engine.restore(scene.engine().image(), policy, EngineSettings.DEFAULT);
        assertThat(restored.state().nodes().lost()).containsExactly(N2.id());
        assertThat(restored.digest()).isEqualTo(scene.engine().digest());
    }
}
