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

/// Which agents are known and connected, and from when silence counts; with a manual clock.
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
                new Introduced(instance(introduced.agent(), instance), introduced.nodes(), false));
    }

    private static Agent instance(Agent agent, String instance) {
        return new Agent(agent.id(), agent.custody(), agent.inFlight(), instance);
    }

    private List<Silence> overdue() {
        List<Silence> overdue = agentRegistry.overdue();
        overdue.forEach(agentRegistry::reported);
        return overdue;
    }

    @Test
    void silenceIsReportedOnceAndThenFencingAfterLeaseGraceAndMargin() {
        long session = open(one(), "a");
        agentRegistry.heartbeat(session);
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
        shortened.overdue().forEach(shortened::reported);
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
        shortened.heartbeat(shortened.open(alone()));
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
        shortened.heartbeat(shortened.open(alone()));
        pass(60 + 15);
        assertThat(shortened.overdue()).containsExactly(new Silence(ONE, true));
    }

    @Test
    void everyHeartbeatStartsTheCountAnew() {
        long session = open(one(), "a");
        for (int i = 0; i < 100; i++) {
            pass(15);
            assertThat(agentRegistry.heartbeat(session)).isTrue();
            assertThat(overdue()).isEmpty();
        }
    }

    @Test
    void aRegistrationDoesNotCountAsAMessage() {
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
        assertThat(agentRegistry.heartbeat(session)).isFalse();
        long next = open(one(), "a");
        assertThat(agentRegistry.heartbeat(next)).isTrue();
        pass(19);
        assertThat(overdue()).isEmpty();
    }

    @Test
    void anAgentCannotJoinWhileItsAbsenceIsBeingReported() {
        open(one(), "a");
        pass(1_000);
        List<Silence> overdue = agentRegistry.overdue();
        assertThat(overdue).containsExactly(new Silence(ONE, true));
        assertThatThrownBy(() -> open(one(), "a")).hasMessageContaining("UNAVAILABLE");
        overdue.forEach(agentRegistry::reported);
        assertThat(agentRegistry.heartbeat(open(one(), "a"))).isTrue();
    }

    @Test
    void aDisconnectedAgentMayBeReportedBeforeTheSilenceIsLong() {
        long session = open(alone(), "a");
        agentRegistry.heartbeat(session);
        pass(1);
        Silence away = agentRegistry.away(new NodeId("n1"));
        assertThat(away).isEqualTo(new Silence(ONE, false));
        assertThat(agentRegistry.away(new NodeId("n1"))).as("told once").isNull();
        assertThat(agentRegistry.heartbeat(session)).isFalse();
        assertThatThrownBy(() -> open(alone(), "a")).hasMessageContaining("UNAVAILABLE");
        pass(1_000);
        assertThat(overdue()).as("one word at a time").isEmpty();

        agentRegistry.reported(Objects.requireNonNull(away));
        assertThat(overdue()).containsExactly(new Silence(ONE, true));
    }

    @Test
    void aDisconnectedAgentMayJoinAgainAndItsSilenceCountsAnew() {
        open(alone(), "a");
        agentRegistry.reported(Objects.requireNonNull(agentRegistry.away(new NodeId("n1"))));
        pass(30);
        assertThat(overdue()).as("told already").isEmpty();
        assertThat(agentRegistry.heartbeat(open(alone(), "a"))).isTrue();
        pass(20);
        assertThat(overdue()).containsExactly(new Silence(ONE, false));
    }

    @Test
    void anAbsenceThatCouldNotBeReportedIsReportedLater() {
        open(alone(), "a");
        agentRegistry.notReported(Objects.requireNonNull(agentRegistry.away(new NodeId("n1"))));
        pass(20);
        assertThat(overdue()).containsExactly(new Silence(ONE, false));
        assertThat(agentRegistry.away(new NodeId("n3"))).as("nobody has it").isNull();
        assertThat(agentRegistry.contact(new NodeId("n3"))).isNull();
    }

    @Test
    void anAgentOfSeveralNodesIsNotReportedTooEarly() {
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
        agentRegistry.heartbeat(session);
        assertThatThrownBy(() -> open(one(), "b")).hasMessageContaining("another agent");
        assertThatThrownBy(() -> open(agent("two", Custody.SELF_FENCING, "n2"), "c"))
                .hasMessageContaining("already serves node n2");
        assertThat(agentRegistry.heartbeat(session)).isTrue();
        agentRegistry.tolerate(new NodeId("n2"), Duration.ofSeconds(30));
        pass(600 + 30 + 14);
        assertThatThrownBy(() -> open(one(), "b")).hasMessageContaining("in at most 1 s");
        pass(1);
        assertThat(agentRegistry.heartbeat(open(one(), "b"))).isTrue();
    }

    @Test
    void aNewServerExpectsTheInstanceThatItsPredecessorKnew() {
        agentRegistry.expect(instance(one().agent(), "a"), one().nodes());
        assertThatThrownBy(() -> open(one(), "b"))
                .hasMessageContaining("another agent named one was connected recently")
                .hasMessageContaining("in at most 615 s");
        assertThatThrownBy(() -> open(agent("two", Custody.SELF_FENCING, "n2"), "b"))
                .hasMessageContaining("agent one already serves node n2");
        assertThat(agentRegistry.heartbeat(open(one(), "a"))).isTrue();
    }

    @Test
    void anAgentOfAJournalWithoutInstancesMayComeBackAsAny() {
        agentRegistry.expect(one().agent(), one().nodes());
        assertThat(agentRegistry.heartbeat(open(one(), "b"))).isTrue();
    }

    @Test
    void theSuccessorOfACustodianWaitsForTheLeaseOnly() {
        Introduced custodian = agent("one", Custody.EXTERNAL, "n1");
        open(custodian, "a");
        agentRegistry.tolerate(new NodeId("n1"), Duration.ofHours(1));
        pass(599);
        assertThatThrownBy(() -> open(custodian, "b")).hasMessageContaining("another agent");
        pass(1);
        assertThat(agentRegistry.heartbeat(open(custodian, "b"))).isTrue();
    }

    @Test
    void aNewSessionEndsTheOldOne() {
        long first = open(one(), "a");
        long second = open(one(), "a");
        assertThat(agentRegistry.heartbeat(first)).isFalse();
        assertThat(agentRegistry.heartbeat(second)).isTrue();
        assertThat(agentRegistry.address(new NodeId("n2"))).isEqualTo("at-n2");
    }

    @Test
    void nodesThatFollowJoinThoseThatWereKnown() {
        Introduced few = agent("one", Custody.EXTERNAL, "n1", "n2");
        agentRegistry.expect(few.agent(), few.nodes());
        long session = agentRegistry.open(new Introduced(few.agent(), List.of(), true));
        assertThat(agentRegistry.nodes(session)).isEqualTo(few.nodes());
    }

    @Test
    void aNodeThatIsNoLongerIntroducedHasNoAgent() {
        open(one(), "a");
        open(agent("one", Custody.SELF_FENCING, "n1"), "a");
        assertThat(agentRegistry.address(new NodeId("n2"))).isNull();
        assertThat(agentRegistry.heartbeat(open(agent("two", Custody.SELF_FENCING, "n2"), "b")))
                .isTrue();
    }
}
