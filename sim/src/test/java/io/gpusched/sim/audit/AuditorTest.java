package io.gpusched.sim.audit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.ClaimId;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.policy.TurnOutcome;
import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// The auditor detects each violation: each test passes it a sequence of events with one error.
final class AuditorTest {
    private static final Instant AT = Instant.parse("2026-01-05T00:00:00Z");
    private static final Scenario SCENARIO =
            ScenarioFile.parse(
                    "audit",
                    """
                    cluster: [{name: n, count: 2, gpus: 4xA100-80GB, cpu_cores: 4}]
                    tenants:
                      - {id: small, max_gpus: 2, allow_preemption: true}
                      - {id: firm}
                    jobs:
                      - {name: one, tenant_id: small, gpu_count: 1}
                      - {name: two, tenant_id: small, gpu_count: 2}
                      - {name: gang, tenant_id: firm, gpu_count: 4, tasks: 2}
                      - {name: host, tenant_id: firm, gpu_count: 0, cpu_cores: 3}
                      - {name: h100, tenant_id: firm, gpu_count: 1, gpu_model: H100}
                    """);
    private static final JobId ONE = new JobId(1);
    private static final JobId TWO = new JobId(2);
    private static final JobId GANG = new JobId(3);
    private static final JobId HOST = new JobId(4);
    private static final JobId H100 = new JobId(5);

    private final Auditor auditor = new Auditor();
    private long batches;
    private Instant now = AT;

    private AuditorTest() {
        var events = new ArrayList<Event>();
        SCENARIO.nodes().forEach(node -> events.add(new Event.NodeJoined(AT, node)));
        SCENARIO.tenants().forEach(tenant -> events.add(new Event.TenantPut(AT, tenant, "me")));
        long number = 0;
        for (Arrival job : SCENARIO.jobs()) {
            events.add(
                    new Event.JobSubmitted(
                            AT, new JobId(++number), job.spec(), "", 0, false, "me"));
        }
        tell(events.toArray(Event[]::new));
    }

    private void tell(Event... decided) {
        conclude(new LinkedHashMap<>(), decided);
    }

    private void conclude(SequencedMap<JobId, TurnOutcome> attempts, Event... decided) {
        var batch = new Batch(++batches, 1, now, List.of(), List.of(decided), 0);
        var cycleResult = new CycleResult(now, List.of(decided), attempts, CycleResult.Work.NONE);
        auditor.concluded(batch, cycleResult);
    }

    private static void objects(ThrowingCallable told, String to) {
        assertThatThrownBy(told).isInstanceOf(Violation.class).hasMessageContaining(to);
    }

    private Event placed(JobId job, int attempt, Slot... slots) {
        return new Event.AttemptPlaced(
                now, new AttemptId(job, attempt, 1), new Placement(List.of(slots)), "");
    }

    private static Slot slot(String node, int rank, long gpus) {
        JobId owner = gpus == 0 ? HOST : ONE;
        return new Slot(
                new NodeId(node),
                0,
                rank,
                gpus == 0 ? new Grant.None() : new Grant.Whole(gpus),
                SCENARIO.jobs()
                        .get((int) owner.number() - 1)
                        .spec()
                        .roles()
                        .getFirst()
                        .shape()
                        .host());
    }

    private Event ended(JobId job) {
        return new Event.JobEnded(now, job, new Outcome(Outcome.Result.COMPLETED, 0, ""));
    }

    @Test
    void anHonestStoryPasses() {
        tell(placed(ONE, 1, slot("n1", 0, 1)));
        tell(placed(GANG, 1, slot("n1", 0, 6), slot("n2", 1, 6)));
        tell(new Event.AttemptRunning(now, new AttemptId(ONE, 1, 1)), ended(ONE));
        tell(new Event.JobRequeued(now, GANG, null, true, "lost"), ended(GANG));
        assertThatCode(auditor::settle).doesNotThrowAnyException();
    }

    @Test
    void aGpuIsNotGivenTwice() {
        tell(placed(ONE, 1, slot("n1", 0, 1)));
        objects(() -> tell(placed(GANG, 1, slot("n1", 0, 3), slot("n2", 1, 3))), "in use");
    }

    @Test
    void aNodeHasNoMoreGpusThanItHas() {
        objects(() -> tell(placed(ONE, 1, slot("n1", 0, 16))), "does not have");
    }

    @Test
    void aNodeHasNoMoreCoresThanItHas() {
        tell(placed(HOST, 1, slot("n2", 0, 0)));
        tell(placed(ONE, 1, slot("n2", 0, 1)));
        objects(
                () -> tell(placed(GANG, 1, slot("n1", 0, 6), slot("n2", 1, 6))),
                "exceeds the cores or memory of n2");
    }

    @Test
    void gpusMustSuit() {
        objects(() -> tell(placed(H100, 1, slot("n1", 0, 1))), "does not suit");
        var broken = new GpuCondition(Heat.COOL, false, "broken");
        tell(new Event.GpuChanged(now, new NodeId("n1"), 0, broken));
        objects(() -> tell(placed(ONE, 1, slot("n1", 0, 1))), "unfit");
        objects(() -> tell(placed(TWO, 1, slot("n2", 0, 1))), "it asked for Whole[count=2");
    }

    @Test
    void aClosedNodeTakesNothing() {
        var cordoned = new NodeStatus(true, false, NodeStatus.Reach.UP);
        tell(new Event.NodeChanged(now, new NodeId("n1"), cordoned, ""));
        objects(() -> tell(placed(ONE, 1, slot("n1", 0, 1))), "which is");
    }

    @Test
    void aGangIsPlacedWhole() {
        objects(() -> tell(placed(GANG, 1, slot("n1", 0, 3))), "1 slots for 2 tasks");
        objects(
                () -> tell(placed(GANG, 1, slot("n1", 0, 3), slot("n2", 0, 3))),
                "comes while job-3 is STARTING");
    }

    @Test
    void aQuotaIsNotExceeded() {
        tell(placed(ONE, 1, slot("n1", 0, 1)));
        objects(() -> tell(placed(TWO, 1, slot("n1", 0, 6))), "quota of small is exceeded");
    }

    @Test
    void aJobEndsOnceAndRunsOnceAtATime() {
        objects(() -> tell(placed(ONE, 2, slot("n1", 0, 1))), "ran 0 times");
        tell(ended(TWO));
        objects(() -> tell(ended(TWO)), "unknown or has ended");
        tell(placed(GANG, 1, slot("n1", 0, 3), slot("n2", 1, 3)));
        objects(
                () -> tell(new Event.AttemptRunning(now, new AttemptId(GANG, 7, 1))),
                "job-3 runs as job-3.1@1");
        objects(() -> tell(new Event.JobRequeued(now, HOST, null, false, "")), "holds nothing");
    }

    @Test
    void timeNeverGoesBack() {
        now = AT.minusSeconds(1);
        objects(() -> tell(ended(ONE)), "time went");
    }

    @Test
    void noBatchIsMissing() {
        batches++;
        objects(() -> tell(ended(ONE)), "comes after batch 1");
    }

    @Test
    void noJobIsPreemptedForOneOfEqualPriority() {
        tell(placed(ONE, 1, slot("n1", 0, 1)));
        var stop =
                new Event.AttemptStopping(
                        now, new AttemptId(ONE, 1, 1), new StopCause(StopCause.Kind.PREEMPTED, ""));
        objects(() -> tell(stop), "but for no job");
        var attempts = new LinkedHashMap<JobId, TurnOutcome>();
        attempts.put(
                GANG,
                new TurnOutcome.Preempts(List.of(ONE), new Placement(List.of(slot("n1", 0, 1)))));
        tell(new Event.JobRequeued(now, ONE, null, false, ""), placed(ONE, 2, slot("n1", 0, 1)));
        var again =
                new Event.AttemptStopping(
                        now, new AttemptId(ONE, 2, 1), new StopCause(StopCause.Kind.PREEMPTED, ""));
        objects(
                () -> conclude(attempts, again),
                "priority 0 was preempted for job-3 of priority 0");
    }

    @Test
    void aClaimHasAnEndAndAHolderAndKeepsOthersOut() {
        objects(() -> tell(new Event.ClaimMade(now, claim(ONE, now))), "over before it begins");
        tell(ended(TWO));
        objects(
                () -> tell(new Event.ClaimMade(now, claim(TWO, now.plusSeconds(9)))),
                "holder does not wait");
    }

    @Test
    void aClaimHasAReason() {
        objects(
                () -> tell(new Event.ClaimMade(now, claim(ONE, now.plusSeconds(9), " "))),
                "it has no reason");
    }

    @Test
    void claimedCapacityGoesToNoOtherJob() {
        tell(new Event.ClaimMade(now, claim(ONE, now.plusSeconds(9))));
        objects(() -> tell(placed(GANG, 1, slot("n1", 0, 3), slot("n2", 1, 3))), "are claimed");
    }

    private Claim claim(JobId holder, Instant until) {
        return claim(holder, until, "room");
    }

    private Claim claim(JobId holder, Instant until, String reason) {
        return new Claim(
                new ClaimId(1),
                new ClaimHolder.OfJob(holder),
                Claim.Kind.ROOM,
                List.of(slot("n1", 0, 1)),
                now,
                until,
                reason);
    }
}
