package io.gpusched.core.engine;

import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Node;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// What an agent says costs as many nodes as the agent has, however many the cluster has.
final class AgentReportCostTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Engine engine =
            new Engine(
                    Objects.requireNonNull(
                            Policies.named("priority", EngineSettings.DEFAULT.policy())),
                    EngineSettings.DEFAULT);

    private static Agent agent(int number) {
        return new Agent(new AgentId("a" + number), Agent.Custody.SELF_FENCING, 0);
    }

    /// So many agents with a node each.
    private List<Node> agents(int number) {
        var nodes = new ArrayList<Node>();
        for (int i = 0; i < number; i++) {
            Node node = aNode("n" + i).gpus(1).agent("a" + i).build();
            engine.apply(new Event.AgentJoined(NOW, agent(i)));
            engine.apply(new Event.NodeJoined(NOW, node));
            nodes.add(node);
        }
        return nodes;
    }

    private List<Event> events(Report report) {
        return ((Answer.Accepted) engine.answer(report, NOW)).events();
    }

    private long listed() {
        return engine.state().nodes().listed();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1000, 100_000})
    void allAgentsComingBackCostAsManyNodesAsThereAre(int agents) {
        List<Node> nodes = agents(agents);
        long before = listed();
        for (int i = 0; i < agents; i++) {
            assertThat(events(new Report.Hello(agent(i), List.of(nodes.get(i)), List.of())))
                    .isEmpty();
        }
        assertThat(listed() - before).isLessThanOrEqualTo(agents);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 100_000})
    void anAgentThatFallsSilentCostsItsOwnNodes(int agents) {
        agents(agents);
        long before = listed();
        assertThat(events(new Report.Silent(new AgentId("a7")))).hasSize(1);
        assertThat(events(new Report.Fenced(new AgentId("a8")))).hasSize(2);
        assertThat(events(new Report.Hello(agent(9), List.of(), List.of()))).hasSize(1);
        assertThat(listed() - before).isEqualTo(3);
    }

    @Test
    void aNodeThatChangedItsAgentCountsForTheNewOneAlone() {
        agents(3);
        engine.apply(new Event.NodeJoined(NOW, aNode("n1").gpus(1).agent("a0").build()));
        assertThat(events(new Report.Silent(new AgentId("a1")))).isEmpty();
        assertThat(events(new Report.Silent(new AgentId("a0")))).hasSize(2);
        engine.apply(new Event.NodeRemoved(NOW, aNode("n0").build().id()));
        assertThat(events(new Report.Silent(new AgentId("a0")))).hasSize(1);
    }
}
