package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Problem;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.spot.CapacityChoice;
import io.gpusched.core.spot.SpotChoice;
import io.gpusched.core.state.DeadlineLedger;
import io.gpusched.core.state.StateImage;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// Jobs with a deadline move between spot capacity and capacity on demand.
final class DeadlineSchedulingTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final NodeId SPOT = new NodeId("spot");

    private final Scene scene = new Scene("priority");

    DeadlineSchedulingTest() {
        scene.join(
                aNode("paid: 1×A100").label("market", "paid").build(),
                aNode("spot: 1×A100").label("market", "spot").taint("spot").build());
    }

    private void prices(long paid, long spot) {
        scene.tell(new Command.SetMarket(new Market("market", "paid", paid, 400, false), ""));
        scene.tell(new Command.SetMarket(new Market("market", "spot", spot, 400, true), ""));
    }

    private static JobBuilder job(int withinHours) {
        return aJob().saving()
                .limit(Duration.ZERO)
                .deadline(
                        Duration.ofHours(withinHours), HOUR.multipliedBy(8), Duration.ofMinutes(6));
    }

    private DeadlineLedger.Entry entry(JobId job) {
        return Objects.requireNonNull(scene.engine().state().deadlineJobs().find(job));
    }

    private CapacityChoice choice(JobId job) {
        return Objects.requireNonNull(entry(job).choice());
    }

    private void spotNode(boolean open) {
        scene.tell(
                open ? new Command.Uncordon(SPOT, "test") : new Command.Drain(SPOT, true, "test"));
    }

    private String node(JobId job) {
        return scene.where(job).replaceAll("\\[.*", "");
    }

    /// The tasks of a run that was told to stop have stopped.
    private void stopped(JobId job) {
        scene.ends(job, Exit.How.STOPPED, 143);
    }

    private JobId runningOnSpot(int withinHours) {
        prices(3_000_000, 1_000_000);
        JobId job = scene.submit(job(withinHours));
        // With much slack it waits for a few minutes, to see whether the capacity stays.
        for (int minute = 0; minute < 60 && node(job).equals("Waiting"); minute++) {
            scene.pass(Duration.ofMinutes(1));
        }
        assertThat(node(job)).isEqualTo("spot");
        scene.runs(job);
        return job;
    }

    @Test
    void aJobWithSlackStartsOnSpotCapacityAndSaysWhatItCosts() {
        JobId job = runningOnSpot(14);
        assertThat(choice(job).choice()).isEqualTo(SpotChoice.SPOT);
        assertThat(choice(job).slackMillis()).isEqualTo(6 * HOUR.toMillis());
        assertThat(choice(job).spotMicroDollars())
                .isPositive()
                .isLessThan(choice(job).onDemandMicroDollars());
        assertThat(choice(job).onDemandMicroDollars()).isLessThanOrEqualTo(8_100_000L * 3);
        assertThat(choice(job).reason()).startsWith("slack 6 h 0 min, spot capacity available");
    }

    @Test
    void aJobWithoutSlackRunsOnDemand() {
        prices(3_000_000, 1_000_000);
        JobId job = scene.submit(job(8));
        assertThat(node(job)).isEqualTo("paid");
        assertThat(choice(job).reason()).contains("too short for anything but on demand");
    }

    @Test
    void withoutPricesAJobRunsOnDemandLikeAnyOther() {
        JobId job = scene.submit(job(14));
        assertThat(node(job)).isEqualTo("paid");
        assertThat(choice(job).reason()).contains("prices", "not both known");
        scene.runs(job);
        scene.pass(HOUR);
        assertThat(chosen(job)).isEqualTo(1);
    }

    private long chosen(JobId job) {
        return events().stream()
                .filter(e -> e instanceof Event.CapacityChosen c && c.job().equals(job))
                .count();
    }

    private List<Event> events() {
        return batches().stream().flatMap(batch -> batch.decided().stream()).toList();
    }

    @Test
    void aJobThatLosesSpotCapacityWaitsAndThenRunsOnDemand() {
        JobId job = runningOnSpot(14);
        scene.pass(HOUR.multipliedBy(2));
        spotNode(false);
        stopped(job);
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        scene.pass(Duration.ofMinutes(2));
        assertThat(choice(job).choice()).isEqualTo(SpotChoice.WAIT);
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        scene.pass(HOUR.multipliedBy(6));
        assertThat(choice(job).choice()).isEqualTo(SpotChoice.ON_DEMAND);
        assertThat(node(job)).isEqualTo("paid");
        assertThat(entry(job).doneMillis()).isEqualTo(Duration.ofMinutes(114).toMillis());
    }

    @Test
    void aJobMovesBackToSpotCapacityOnlyIfThatIsCheaper() {
        JobId job = onDemandAfterAnOutage(40);
        spotNode(true);
        scene.pass(Duration.ofMinutes(1));
        assertThat(scene.phase(job)).isEqualTo("Stopping");
        stopped(job);
        assertThat(node(job)).isEqualTo("spot");
        assertThat(scene.job(job).losses() + scene.job(job).evictions()).isZero();
    }

    @Test
    void aJobThatIsNearlyDoneStaysOnDemand() {
        JobId job = onDemandAfterAnOutage(40);
        scene.pass(Duration.ofMinutes(6 * 60 + 10));
        spotNode(true);
        scene.pass(Duration.ofMinutes(3));
        assertThat(scene.phase(job)).isEqualTo("Running");
        assertThat(node(job)).isEqualTo("paid");
    }

    /// The job ran for two hours on spot capacity, waited, and runs on demand.
    private JobId onDemandAfterAnOutage(int withinHours) {
        JobId job = runningOnSpot(withinHours);
        scene.pass(HOUR.multipliedBy(2));
        spotNode(false);
        stopped(job);
        for (int minute = 0; minute < withinHours * 60 && node(job).equals("Waiting"); minute++) {
            scene.pass(Duration.ofMinutes(1));
        }
        assertThat(node(job)).isEqualTo("paid");
        scene.runs(job);
        return job;
    }

    @Test
    void aJobStaysOnSpotCapacityWhileNoOtherIsFree() {
        prices(3_000_000, 1_000_000);
        Duration work = HOUR.multipliedBy(8);
        Duration start = Duration.ofMinutes(6);
        JobId job = scene.submit(aJob().saving().deadline(work.plusMinutes(24), work, start));
        scene.runs(job);
        assertThat(node(job)).isEqualTo("spot");
        JobId other = scene.submit(aJob().priority(900));
        assertThat(node(other)).isEqualTo("paid");
        scene.runs(other);
        for (int loss = 0; loss < 3; loss++) {
            scene.pass(start);
            scene.ends(job, Exit.How.LOST, -1);
            for (int minute = 0; minute < 30 && node(job).equals("Waiting"); minute++) {
                scene.pass(Duration.ofMinutes(1));
            }
            scene.runs(job);
        }
        scene.pass(Duration.ofMinutes(1));
        assertThat(node(job)).isEqualTo("spot");
        assertThat(scene.phase(job)).isEqualTo("Running");
        DeadlineDecision now =
                Objects.requireNonNull(
                        DeadlinePlan.of(scene.engine(), scene.now()).decide(entry(job)));
        assertThat(now.choice().reason()).contains("so it stays on spot capacity");
        assertThat(now.atRisk()).isTrue();
        scene.completes(other);
        scene.pass(Duration.ofMinutes(1));
        assertThat(scene.phase(job)).isEqualTo("Stopping");
        stopped(job);
        assertThat(node(job)).isEqualTo("paid");
    }

    private List<Batch> batches() {
        var all = new ArrayList<Batch>();
        scene.journal().replay(0, all::add);
        return all;
    }

    @Test
    void twoJobsDoNotBothCountOnTheSameSpotNode() {
        prices(3_000_000, 1_000_000);
        JobId first = scene.submit(job(30));
        JobId second = scene.submit(job(30));
        assertThat(choice(first).choice()).isEqualTo(SpotChoice.SPOT);
        assertThat(choice(second).choice()).isNotEqualTo(SpotChoice.SPOT);
    }

    @Test
    void manyJobsThatComeTogetherAllFindTheSpotCapacityThatIsThere() {
        prices(3_000_000, 1_000_000);
        for (int node = 0; node < 10; node++) {
            scene.join(
                    aNode("s" + node + ": 8×A100").label("market", "spot").taint("spot").build());
        }
        var jobs = new Input[80];
        Arrays.setAll(jobs, i -> new Command.Submit(job(14).spec(), "", 0, false, "test"));
        scene.tellTogether(jobs);
        for (int minute = 0; minute < 60; minute++) {
            List<SpotChoice> choices =
                    scene.engine().state().deadlineJobs().all().stream()
                            .map(entry -> choice(entry.job()).choice())
                            .distinct()
                            .toList();
            assertThat(choices).as("after %d min", minute).hasSize(1);
            scene.pass(Duration.ofMinutes(1));
        }
        assertThat(scene.engine().state().deadlineJobs().all())
                .allMatch(entry -> !node(entry.job()).equals("Waiting"));
    }

    @Test
    void anOrdinaryJobMayUseBothKindsOfNodes() {
        prices(3_000_000, 1_000_000);
        JobId job = scene.submit(aJob().tolerating("spot").onNodesWith("market", "spot"));
        assertThat(node(job)).isEqualTo("spot");
    }

    @Test
    void manyLookupsShareOneTable() {
        JobId job = runningOnSpot(40);
        scene.pass(HOUR.multipliedBy(3));
        spotNode(false);
        stopped(job);
        scene.pass(HOUR.multipliedBy(5));
        assertThat(scene.engine().timedDecisions().deadlineRule().tablesComputed())
                .isBetween(1L, 4L);
    }

    @Test
    void aReplayAndARestoredImageDecideTheSame() {
        JobId job = onDemandAfterAnOutage(40);
        Engine replayed = fresh();
        batches().forEach(replayed::apply);
        assertThat(replayed.digest()).isEqualTo(scene.engine().digest());
        StateImage image = scene.engine().image();
        Engine restored = Engine.restore(image, policy(), EngineSettings.DEFAULT);
        assertThat(restored.image()).isEqualTo(image);
        assertThat(restored.state().digest()).isEqualTo(scene.engine().state().digest());
        assertThat(restored.state().deadlineJobs().find(job)).isEqualTo(entry(job));
        Instant later = scene.now().plus(Duration.ofMinutes(5));
        assertThat(next(restored, later)).isEqualTo(next(replayed, later));
    }

    private static List<Event> next(Engine engine, Instant at) {
        engine.apply(new Event.NodeChanged(at, SPOT, NodeStatus.READY, ""));
        Cycle cycle = engine.begin(at);
        engine.takeTurns(cycle);
        return cycle.end().events();
    }

    private static Policy policy() {
        return Objects.requireNonNull(Policies.named("priority", EngineSettings.DEFAULT.policy()));
    }

    private static Engine fresh() {
        return new Engine(policy(), EngineSettings.DEFAULT);
    }

    @Test
    void whatWasSeenIsKeptForTheNextJobOfTheKind() {
        JobId first = runningOnSpot(14);
        scene.pass(HOUR);
        spotNode(false);
        stopped(first);
        scene.pass(HOUR);
        spotNode(true);
        scene.pass(Duration.ofMinutes(2));
        long need = entry(first).need();
        scene.tell(new Command.Cancel(first, "test"));
        if (!scene.phase(first).startsWith("CANCELLED")) {
            stopped(first);
        }
        DeadlineLedger ledger = scene.engine().state().deadlineJobs();
        assertThat(Objects.requireNonNull(ledger.seen(need)).watched()).isFalse();
        scene.pass(HOUR.multipliedBy(10));
        JobId second = scene.submit(job(14));
        assertThat(entry(second).need()).isEqualTo(need);
        DeadlineLedger.Seen seen = Objects.requireNonNull(ledger.seen(need));
        assertThat(seen.watched()).isTrue();
        assertThat(seen.history().outages().ended()).isEqualTo(1);
        assertThat(seen.history().age(DeadlineLedger.millis(scene.now()))).isZero();
    }

    private Problem refused(JobSpec spec) {
        Answer answer = scene.tell(new Command.Submit(spec, "", 0, false, "test"));
        assertThat(answer).isInstanceOf(Answer.Rejected.class);
        return ((Answer.Rejected) answer).problems().getFirst();
    }

    @Test
    void aDeadlineThatCannotBeKeptInMindIsRefusedAndNamesTheField() {
        prices(3_000_000, 1_000_000);
        var none = Duration.ZERO;
        JobBuilder unknown = aJob().saving().limit(none).deadline(HOUR, none, none);
        assertThat(refused(unknown.spec()).field()).isEqualTo("work_seconds");
        assertThat(refused(aJob().deadline(HOUR, HOUR, none).spec()).field())
                .isEqualTo("restart_seconds");
        assertThat(refused(aJob().neverRequeued().deadline(HOUR, HOUR, HOUR).spec()).field())
                .isEqualTo("deadline");
        var past = new JobDeadline(scene.now().minusSeconds(1), none, HOUR, HOUR);
        JobSpec late =
                JobSpec.builder(aJob().spec().tenant(), aJob().spec().roles())
                        .deadline(past)
                        .build();
        assertThat(refused(late).message()).contains("expected an instant in the future");
    }

    @Test
    void workThatCannotBeDoneInTimeIsAWarning() {
        prices(3_000_000, 1_000_000);
        Answer answer = scene.tell(new Command.Submit(job(7).spec(), "", 0, false, "test"));
        assertThat(answer).isInstanceOf(Answer.Accepted.class);
        assertThat(((Answer.Accepted) answer).warnings())
                .singleElement()
                .asString()
                .startsWith("the deadline will be missed: the work and one start take 8 h 6 min");
    }

    /// Every batch can be applied to a copy: the digest is checked there.
    @Test
    void aFollowerHasTheSameDigestAfterEveryBatch() {
        onDemandAfterAnOutage(20);
        Engine follower = fresh();
        for (Batch batch : batches()) {
            follower.apply(batch);
        }
        assertThat(follower.digest()).isEqualTo(scene.engine().digest());
    }
}
