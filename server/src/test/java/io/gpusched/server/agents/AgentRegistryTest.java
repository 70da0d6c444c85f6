package io.gpusched.server.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.NodeId;
import io.gpusched.server.agents.AgentRegistry.Silence;
import io.gpusched.wire.agent.HelloReader;
import io.gpusched.wire.agent.HelloReader.Introduced;
import io.gpusched.wire.proto.agent.Custody;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.gpusched.wire.proto.agent.RegisterAgentRequest;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// Who is known, who is heard, and from when a silence counts; with a clock turned by hand.
final class AgentRegistryTest {
    private static final AgentId ONE = new AgentId("one");

    private final AgentTimes times =
            new AgentTimes(
                    Duration.ofSeconds(600),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(15));
    private long now = 1_000;
    private final AgentRegistry agentRegistry = new AgentRegistry(times, Duration.ZERO, () -> now);

    private void pass(long seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    private static Introduced agent(String name, Custody custody, String... nodes) {
        RegisterAgentRequest.Builder request =
                RegisterAgentRequest.newBuilder().setAgentId(name).setCustody(custody);
        for (String node : nodes) {
            request.addNodes(NodeFacts.newBuilder().setNodeId(node).setIpAddress("at-" + node));
        }
        return HelloReader.read(request.build());
    }

    private static Introduced one() {
        return agent("one", Custody.SELF_FENCING, "n1", "n2");
    }

    private static Introduced alone() {
        return agent("one", Custody.SELF_FENCING, "n1");
    }

    private long open(Introduced introduced, String instance) {
        return agentRegistry.open(
                new Introduced(instance(introduced.agent(), instance), introduced.nodes()));
    }

    private static Agent instance(Agent agent, String instance) {
        return new Agent(agent.id(), agent.custody(), agent.inFlight(), instance);
    }

    private List<Silence> overdue() {
        List<Silence> overdue = agentRegistry.overdue();
        overdue.forEach(agentRegistry::told);
        return overdue;
    }

    @Test
    void silenceIsToldOnceAndThenFencingAfterLeaseGraceAndMargin() {
        long session = open(one(), "a");
        agentRegistry.heard(session);
        agentRegistry.tolerate(new NodeId("n2"), Duration.ofSeconds(30));
        pass(19);
        assertThat(overdue()).isEmpty();
        pass(1);
        assertThat(overdue()).containsExactly(new Silence(ONE, false));
        pass(600 + 30 + 15 - 20 - 1);
        assertThat(overdue()).isEmpty();
        pass(1);
        assertThat(overdue()).containsExactly(new Silence(ONE, true));
        pass(10_000);
        assertThat(overdue()).isEmpty();
    }

    @Test
    void aLongerLeaseOfAFormerServerIsWaitedFor() {
        Duration before = times.lease();
        var shortened =
                new AgentRegistry(times.withLease(Duration.ofSeconds(60)), before, () -> now);
        shortened.expect(alone().agent(), alone().nodes());
        shortened.tolerate(new NodeId("n1"), Duration.ofSeconds(30));
        pass(20);
        shortened.overdue().forEach(shortened::told);
        pass(600 + 30 + 15 - 20 - 1);
        assertThat(shortened.overdue()).isEmpty();
        assertThat(shortened.areOldLeasesOver()).isTrue();
        pass(1);
        assertThat(shortened.overdue()).containsExactly(new Silence(ONE, true));
    }

    @Test
    void anAgentThatSpokeMayStillHoldTheLongerLease() {
        var shortened =
                new AgentRegistry(
                        times.withLease(Duration.ofSeconds(60)), times.lease(), () -> now);
        pass(100);
        shortened.heard(shortened.open(alone()));
        pass(600 + 15 - 100 - 1);
        assertThat(shortened.overdue()).containsExactly(new Silence(ONE, false));
        shortened.reported(new Silence(ONE, false));
        pass(1);
        assertThat(shortened.overdue()).containsExactly(new Silence(ONE, true));
    }

    @Test
    void whenTheOldLeasesAreOverTheShorterOneCounts() {
        var shortened =
                new AgentRegistry(
                        times.withLease(Duration.ofSeconds(60)), times.lease(), () -> now);
        pass(600 + 15 - 1);
        assertThat(shortened.areOldLeasesOver()).isFalse();
        pass(1);
        assertThat(shortened.areOldLeasesOver()).isTrue();
        shortened.heard(shortened.open(alone()));
        pass(60 + 15);
        assertThat(shortened.overdue()).containsExactly(new Silence(ONE, true));
    }

    @Test
    void everyHeartbeatStartsTheCountAnew() {
        long session = open(one(), "a");
        for (int i = 0; i < 100; i++) {
            pass(15);
            assertThat(agentRegistry.heard(session)).isTrue();
            assertThat(overdue()).isEmpty();
        }
    }

    @Test
    void anAgentThatOnlyRegistersIsNotHeard() {
        open(one(), "a");
        pass(19);
        open(one(), "a");
        pass(1);
        assertThat(overdue()).containsExactly(new Silence(ONE, false));
    }

    @Test
    void aSilentAgentMustIntroduceItselfAgain() {
        long session = open(one(), "a");
        pass(20);
        overdue();
        assertThat(agentRegistry.heard(session)).isFalse();
        long next = open(one(), "a");
        assertThat(agentRegistry.heard(next)).isTrue();
        pass(19);
        assertThat(overdue()).isEmpty();
    }

    @Test
    void nobodyComesBackWhileTheirAbsenceIsBeingTold() {
        open(one(), "a");
        pass(1_000);
        List<Silence> overdue = agentRegistry.overdue();
        assertThat(overdue).containsExactly(new Silence(ONE, true));
        assertThatThrownBy(() -> open(one(), "a")).hasMessageContaining("UNAVAILABLE");
        overdue.forEach(agentRegistry::told);
        assertThat(agentRegistry.heard(open(one(), "a"))).isTrue();
    }

    @Test
    void whoHasLeftMayBeToldBeforeTheSilenceIsLong() {
        long session = open(alone(), "a");
        agentRegistry.heard(session);
        pass(1);
        Silence away = agentRegistry.away(new NodeId("n1"));
        assertThat(away).isEqualTo(new Silence(ONE, false));
        assertThat(agentRegistry.away(new NodeId("n1"))).as("told once").isNull();
        assertThat(agentRegistry.heard(session)).isFalse();
        assertThatThrownBy(() -> open(alone(), "a")).hasMessageContaining("UNAVAILABLE");
        pass(1_000);
        assertThat(overdue()).as("one word at a time").isEmpty();

        agentRegistry.reported(Objects.requireNonNull(away));
        assertThat(overdue()).containsExactly(new Silence(ONE, true));
    }

    @Test
    void whoLeftMayComeBackAndItsSilenceCountsAnew() {
        open(alone(), "a");
        agentRegistry.reported(Objects.requireNonNull(agentRegistry.away(new NodeId("n1"))));
        pass(30);
        assertThat(overdue()).as("told already").isEmpty();
        assertThat(agentRegistry.heard(open(alone(), "a"))).isTrue();
        pass(20);
        assertThat(overdue()).containsExactly(new Silence(ONE, false));
    }

    @Test
    void anAbsenceThatCouldNotBeToldIsToldLater() {
        open(alone(), "a");
        agentRegistry.notReported(Objects.requireNonNull(agentRegistry.away(new NodeId("n1"))));
        pass(20);
        assertThat(overdue()).containsExactly(new Silence(ONE, false));
        assertThat(agentRegistry.away(new NodeId("n3"))).as("nobody has it").isNull();
        assertThat(agentRegistry.contact(new NodeId("n3"))).isNull();
    }

    @Test
    void whoSpeaksForMoreNodesIsNotToldBeforeItsTime() {
        open(one(), "a");
        assertThat(agentRegistry.away(new NodeId("n1"))).isNull();
        pass(20);
        assertThat(overdue()).containsExactly(new Silence(ONE, false));
    }

    @Test
    void silenceOfACustodianIsNeverLoss() {
        open(agent("one", Custody.EXTERNAL, "n1"), "a");
        pass(20);
        assertThat(overdue()).containsExactly(new Silence(ONE, false));
        pass(1_000_000);
        assertThat(overdue()).isEmpty();
    }

    @Test
    void agentsOfAFormerServerAreCountedFromItsEnd() {
        Agent known = one().agent();
        agentRegistry.expect(known, one().nodes());
        pass(20);
        assertThat(overdue()).containsExactly(new Silence(ONE, false));
        assertThat(agentRegistry.contact(new NodeId("n1")))
                .isEqualTo(
                        new AgentPresence.Contact(
                                false, null, Duration.ofSeconds(20), Duration.ofSeconds(595)));
        pass(594);
        assertThat(overdue()).isEmpty();
        pass(1);
        assertThat(overdue()).containsExactly(new Silence(ONE, true));
    }

    @Test
    void aNameBelongsToOneInstanceUntilItsLeaseIsOver() {
        long session = open(one(), "a");
        agentRegistry.heard(session);
        assertThatThrownBy(() -> open(one(), "b")).hasMessageContaining("another agent");
        assertThatThrownBy(() -> open(agent("two", Custody.SELF_FENCING, "n2"), "c"))
                .hasMessageContaining("already serves node n2");
        assertThat(agentRegistry.heard(session)).isTrue();
        agentRegistry.tolerate(new NodeId("n2"), Duration.ofSeconds(30));
        pass(600 + 30 + 14);
        assertThatThrownBy(() -> open(one(), "b")).hasMessageContaining("in at most 1 s");
        pass(1);
        assertThat(agentRegistry.heard(open(one(), "b"))).isTrue();
    }

    @Test
    void aNewServerExpectsTheInstanceThatItsPredecessorKnew() {
        agentRegistry.expect(instance(one().agent(), "a"), one().nodes());
        assertThatThrownBy(() -> open(one(), "b"))
                .hasMessageContaining("another agent named one was connected recently")
                .hasMessageContaining("in at most 615 s");
        assertThatThrownBy(() -> open(agent("two", Custody.SELF_FENCING, "n2"), "b"))
                .hasMessageContaining("agent one already serves node n2");
        assertThat(agentRegistry.heard(open(one(), "a"))).isTrue();
    }

    @Test
    void anAgentOfAJournalWithoutInstancesMayComeBackAsAny() {
        agentRegistry.expect(one().agent(), one().nodes());
        assertThat(agentRegistry.heard(open(one(), "b"))).isTrue();
    }

    @Test
    void theSuccessorOfACustodianWaitsForTheLeaseOnly() {
        Introduced custodian = agent("one", Custody.EXTERNAL, "n1");
        open(custodian, "a");
        agentRegistry.tolerate(new NodeId("n1"), Duration.ofHours(1));
        pass(599);
        assertThatThrownBy(() -> open(custodian, "b")).hasMessageContaining("another agent");
        pass(1);
        assertThat(agentRegistry.heard(open(custodian, "b"))).isTrue();
    }

    @Test
    void aNewSessionEndsTheOldOne() {
        long first = open(one(), "a");
        long second = open(one(), "a");
        assertThat(agentRegistry.heard(first)).isFalse();
        assertThat(agentRegistry.heard(second)).isTrue();
        assertThat(agentRegistry.address(new NodeId("n2"))).isEqualTo("at-n2");
    }

    @Test
    void aNodeThatIsNoLongerNamedIsNobodys() {
        open(one(), "a");
        open(agent("one", Custody.SELF_FENCING, "n1"), "a");
        assertThat(agentRegistry.address(new NodeId("n2"))).isNull();
        assertThat(agentRegistry.heard(open(agent("two", Custody.SELF_FENCING, "n2"), "b")))
                .isTrue();
    }
}
