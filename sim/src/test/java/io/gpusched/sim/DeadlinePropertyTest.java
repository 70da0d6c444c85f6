package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.sim.RandomScenario.Mood;
import io.gpusched.sim.audit.DeadlineAudit;
import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.Fault;
import io.gpusched.sim.scenario.HiddenTruth;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;
import io.gpusched.sim.scenario.SeededRandom;
import io.gpusched.sim.scenario.UserAction;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Jobs with deadlines beside a random workload, and alone on spot capacity that comes and goes.
final class DeadlinePropertyTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void aRestartAtAnyBatchChangesNothingThatFollowsWithDeadlines() {
        check(10, Mood.CALM, RestartEqualsContinueTest::cutEverywhere);
    }

    @Test
    void aRestartInTheMiddleOfTroubleChangesNothingThatFollowsWithDeadlines() {
        check(10, Mood.STORMY, RestartEqualsContinueTest::cutEverywhere);
    }

    @Test
    void aSchedulerThatRestartsKeepsItsJobsWithDeadlines() {
        check(6, Mood.WILD, (scenario, run) -> {});
    }

    @Test
    void wakingLittleDecidesLikeWakingEverythingWithDeadlines() {
        check(
                8,
                Mood.STORMY,
                (scenario, run) -> {
                    var settings = scenario.scenarioPolicy().toSettings();
                    var everything = settings.toBuilder().wakeEverything(true).build();
                    var others = new ArrayList<Batch>();
                    long seed = Long.parseLong(scenario.name().substring("random-".length()));
                    Audited.run(
                            scenario,
                            seed,
                            everything,
                            List.of((batch, cycleResult) -> others.add(batch)));
                    WakeOracleTest.compare(scenario, run.batches(), others);
                });
    }

    private interface Then {
        void look(Scenario scenario, Audited run);
    }

    private static void check(int seeds, Mood mood, Then then) {
        PropertyRunner.check(
                seeds,
                seed ->
                        RandomDeadlines.beside(
                                seed,
                                RandomScenario.cluster(seed, mood),
                                RandomScenario.script(seed, mood, 25)),
                (seed, script) -> {
                    Scenario scenario =
                            RandomScenario.with(RandomDeadlines.cluster(seed, mood), script);
                    then.look(scenario, Audited.run(scenario, seed));
                });
    }

    /// Capacity on demand is always free, and the slack covers at least one start and what the
    /// scheduler needs to notice: no deadline may be missed, however spot capacity fails.
    @Test
    void noFeasibleDeadlineIsMissedWhateverSpotCapacityDoes() {
        long moves = 0;
        long jobs = 0;
        for (long seed = 1; seed <= 60; seed++) {
            Scenario scenario = outages(seed);
            var audit = new DeadlineAudit();
            Audited run =
                    Audited.run(
                            scenario, seed, scenario.scenarioPolicy().toSettings(), List.of(audit));
            assertThat(audit.missed()).as("seed %s", seed).isEmpty();
            assertThat(audit.met()).as("seed %s", seed).hasSize(scenario.jobs().size());
            jobs += scenario.jobs().size();
            moves += count(run, Event.CapacityChosen.class);
        }
        assertThat(jobs).isGreaterThan(100);
        assertThat(moves).isGreaterThan(4 * jobs);
    }

    private static long count(Audited run, Class<? extends Event> kind) {
        return run.batches().stream()
                .flatMap(batch -> batch.decided().stream())
                .filter(kind::isInstance)
                .count();
    }

    private static Scenario outages(long seed) {
        var random = SeededRandom.of(seed, "outages", 0);
        Scenario base = ScenarioFile.read(Path.of("..", "scenarios", "deadline-on-spot.yaml"));
        var faults = new ArrayList<Fault>();
        long minute = random.between(1, 90);
        while (minute < 40 * 60) {
            long away = random.between(1, 240);
            faults.add(
                    new Fault.NodeLost(
                            Duration.ofMinutes(minute),
                            base.nodes().getLast().id(),
                            Duration.ofMinutes(away),
                            random.chance(0.5)));
            minute += away + random.between(2, 300);
        }
        var jobs = new ArrayList<Arrival>();
        for (int number = 1; number <= random.between(1, 3); number++) {
            jobs.add(job(number, random));
        }
        var actions = new ArrayList<UserAction>();
        actions.add(price("paid", 3_000_000, false));
        actions.add(price("spot", 1_000_000, true));
        return base.withScript(jobs, faults, actions);
    }

    private static UserAction price(String value, long price, boolean spot) {
        return new UserAction.SetMarket(
                Duration.ZERO, new Market("market", value, price, 400, spot));
    }

    private static Arrival job(int number, SeededRandom random) {
        Duration work = HOUR.plusMinutes(random.between(0, 600));
        Duration restart = Duration.ofMinutes(random.between(1, 15));
        // The first start, and a moment to be noticed.
        Duration least = restart.plusMinutes(2);
        Duration slack = least.plusMinutes(random.between(0, 600));
        var shape = Shape.of(GpuRequest.whole(1, 0), Resources.cores(1, 1024));
        JobSpec spec =
                JobSpec.builder(Tenant.DEFAULT, List.of(Role.of(shape, 1)))
                        .name("job" + number)
                        .onLoss(new Interruption(Duration.ofSeconds(30), true, true))
                        .deadline(new JobDeadline(null, work.plus(slack), work, restart))
                        .build();
        var at = Duration.ofMinutes(random.between(0, 600));
        return new Arrival(at, spec, false, HiddenTruth.succeedsAfter(work));
    }
}
