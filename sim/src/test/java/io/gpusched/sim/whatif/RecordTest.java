package io.gpusched.sim.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.Listener;
import io.gpusched.core.cell.NoJournal;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.RuntimeExpectation;
import io.gpusched.sim.Simulation;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;
import io.gpusched.sim.scenario.ScenarioPolicy;
import io.gpusched.wire.codec.SettingsText;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// What is taken from the record, and how it is counted.
final class RecordTest {
    private static final String QUEUE =
            """
            policy: {name: fifo}
            tenants: [{id: a}, {id: b}]
            cluster:
              - {name: n1, gpus: 1xA100-80GB}
            jobs:
              - {name: first, gpu_count: 1, tenant_id: a, runs: 10m, max_runtime: 1h}
              - {name: long, at: 1m, gpu_count: 1, tenant_id: a, runs: 1h, max_runtime: 9h}
              - {name: short, at: 2m, gpu_count: 1, tenant_id: b, runs: 5m, max_runtime: 10m}
            """;

    @Test
    void aPolicyThatGoesByPredictionsPlansWithThemAndOthersAsIsSet() {
        for (String name : List.of("spf", "spf-skip", "srtf")) {
            SchedulerConfig other = SchedulerConfig.DEFAULT.with(name, "");
            assertThat(other.inForce().predictionSettings())
                    .as(name)
                    .isEqualTo(PredictionSettings.USED);
            assertThat(other.with("fifo", "").inForce().predictionSettings())
                    .as("fifo after " + name)
                    .isEqualTo(PredictionSettings.AS_NEEDED);
        }
        var set = new SchedulerConfig("srtf", EngineSettings.DEFAULT.with(PredictionSettings.USED));
        assertThat(set.with("fifo", "").inForce().predictionSettings())
                .isEqualTo(PredictionSettings.USED);
    }

    @Test
    void whatIsExpectedOfJobsFollowsThePolicyAskedFor() {
        String twice = QUEUE + "  - {name: again, kind: first, at: 2h, gpu_count: 1, runs: 10m}\n";
        for (String policy : List.of("spf", "srtf")) {
            List<Batch> planned = run(twice.replace("fifo", policy));
            assertThat(expected(planned)).as(policy).isTrue();
            assertThat(expected(decided(planned, "fifo"))).as(policy + " to fifo").isFalse();
            List<Batch> plain = run(twice);
            assertThat(expected(plain)).isFalse();
            assertThat(expected(decided(plain, policy))).as("fifo to " + policy).isTrue();
        }
    }

    /// Whether something was expected of the job that came last.
    private static boolean expected(List<Batch> batches) {
        JobSpec last = null;
        for (Batch batch : batches) {
            for (Event fact : batch.facts()) {
                last = fact instanceof Event.JobSubmitted e ? e.spec() : last;
            }
        }
        return Objects.requireNonNull(last).runtimeExpectation().isKnown();
    }

    private static List<Batch> decided(List<Batch> batches, String policy) {
        var rounds = new ArrayList<Batch>();
        var watcher =
                new WhatIf.Watcher() {
                    @Override
                    public boolean at(long batch, long events, boolean second) {
                        return true;
                    }

                    @Override
                    public void decided(Batch round, CycleResult cycleResult) {
                        rounds.add(round);
                    }
                };
        new WhatIf(history(batches), WhatIfQuestion.of(policy), RecordTest::way, watcher).answer();
        return rounds;
    }

    @Test
    void aJobStoppedForIdlingTakesNoLongerUnderAnotherPolicy() {
        String idle =
                QUEUE.replace(
                                "name: fifo",
                                "name: fifo, idle: {after: 10m, reclaim: true, grace: 5m}")
                        .replace("runs: 1h,", "runs: 5h, idle_from: 5m, idle_for: 4h,");
        WhatIfResult whatIfResult = ask(run(idle), WhatIfQuestion.of("sjf"));

        assertThat(whatIfResult.parted()).isNotNull();
        assertThat(whatIfResult.guesses()).isZero();
        assertThat(whatIfResult.otherwise().all().ended()).isEqualTo(3);
        assertThat(whatIfResult.otherwise().all().gpuHours())
                .isCloseTo(whatIfResult.recorded().all().gpuHours(), offset(0.05));
    }

    @Test
    void energyIsByTheSheetThatAllElseUses() {
        PeriodFigures.Group all =
                ask(run(QUEUE.replace("A100-80GB", "K80-12GB")), WhatIfQuestion.of(""))
                        .recorded()
                        .all();
        assertThat(all.kilowattHours()).isCloseTo(0.150 * all.gpuHours(), offset(1e-9));
    }

    @Test
    void whatALostRunHadSavedBeforeThePointIsNotSetAgainstWhatItDidAfter() {
        String loses =
                """
                policy: {name: fifo, checkpoint_interval: 1h}
                cluster:
                  - {name: n1, gpus: 1xA100-80GB}
                jobs:
                  - {name: long, gpu_count: 1, runs: 6h, max_runtime: 99h, checkpoint_enabled: true}
                faults:
                  - {at: 270m, lose_node: n1, back_after: 3m}
                """;
        List<Batch> batches = run(loses);
        Instant four = batches.getFirst().at().plus(Duration.ofHours(4));
        double whole = ask(batches, WhatIfQuestion.of("")).recorded().all().wastedGpuHours();
        double later =
                ask(batches, new WhatIfQuestion(0, four, "", "")).recorded().all().wastedGpuHours();
        assertThat(whole).isBetween(0.3, 0.9);
        assertThat(later).isCloseTo(whole, offset(1e-9));
    }

    @Test
    void aTenantCalledAllIsNotTheTotal() {
        List<Batch> batches = run(QUEUE.replace("id: a", "id: all"));
        List<String> rows =
                WhatIfText.plain(ask(batches, WhatIfQuestion.of("")))
                        .lines()
                        .filter(line -> line.startsWith("all "))
                        .toList();
        assertThat(rows).hasSize(2);
        assertThat(rows.getFirst()).contains("1.2 → 1.2");
        assertThat(rows.getLast()).contains("1.3 → 1.3");
    }

    /// Under a half-life of a week, b has used less; under the minute that was set before, what b
    /// used last would count for most.
    @Test
    void thePastIsFoldedByTheSettingsThatWereInForce() {
        var batches = new ArrayList<Batch>();
        Listener keeps = (batch, cycleResult) -> batches.add(batch);
        String fair = QUEUE.replace("fifo", "fair, fair_share: {half_life: 1m}");
        Scenario scenario = ScenarioFile.parse("first", fair);
        ScenarioPolicy scenarioPolicy = scenario.scenarioPolicy();
        var simulation =
                new Simulation(
                        scenario,
                        scenarioPolicy.toPolicy(),
                        scenarioPolicy.toSettings(),
                        1,
                        List.of(keeps));
        simulation.start();
        while (simulation.step()) {}
        List<JobSpec> specs = submitted(batches);
        Engine before = simulation.cell().engine();
        EngineSettings settings =
                scenarioPolicy
                        .withFairShare(
                                new FairShareSettings(
                                        Duration.ofDays(7),
                                        scenarioPolicy.fairShareSettings().adjusts()))
                        .toSettings();
        var cell =
                new Cell(
                        Engine.restore(
                                before.image(),
                                before.learner().image(),
                                scenarioPolicy.toPolicy(),
                                settings),
                        new NoJournal(),
                        assignment -> {},
                        keeps);
        Instant start = before.state().lastAt().plusSeconds(60);
        cell.takeCharge(9, "later", SettingsText.write("fair", settings, ""), start);
        Input a = new Command.Submit(specs.get(0), "", 0, false, "test");
        Input b = new Command.Submit(specs.get(2), "", 0, false, "test");
        cell.handle(List.of(a), start.plusSeconds(1));
        runs(cell, 4, start.plusSeconds(2));
        cell.handle(List.of(ends(cell, 4), b), start.plus(Duration.ofHours(10)));
        runs(cell, 5, start.plus(Duration.ofHours(10)).plusSeconds(2));
        cell.handle(List.of(ends(cell, 5)), start.plus(Duration.ofHours(11)));
        cell.handle(List.of(a, b), start.plus(Duration.ofHours(11)).plusSeconds(3));
        assertThat(batches.getLast().decided())
                .anyMatch(
                        e ->
                                e instanceof Event.AttemptPlaced placed
                                        && placed.attempt().job().equals(new JobId(7)));

        var last = new WhatIfQuestion(batches.size() - 1, null, "", "");
        var again = new Verification(history(batches), last, RecordTest::way, WhatIf.Watcher.NONE);
        assertThat(again.run().first()).isEmpty();
        assertThat(ask(batches, last).parted()).isNull();
    }

    private static List<JobSpec> submitted(List<Batch> batches) {
        return batches.stream()
                .flatMap(batch -> batch.facts().stream())
                .filter(Event.JobSubmitted.class::isInstance)
                .map(fact -> ((Event.JobSubmitted) fact).spec())
                .toList();
    }

    /// The policy by which jobs were planned is the one chosen by command, not the configured one.
    @Test
    void whatIsExpectedFollowsAlsoWhenThePolicyWasChosenByCommand() {
        var batches = new ArrayList<Batch>();
        Listener keeps = (batch, cycleResult) -> batches.add(batch);
        Scenario scenario = ScenarioFile.parse("chosen", QUEUE);
        ScenarioPolicy scenarioPolicy = scenario.scenarioPolicy();
        var simulation =
                new Simulation(
                        scenario,
                        scenarioPolicy.toPolicy(),
                        scenarioPolicy.toSettings(),
                        1,
                        List.of(keeps));
        simulation.start();
        while (simulation.step()) {}
        Cell cell = simulation.cell();
        Instant then = cell.engine().state().lastAt();
        JobSpec spec =
                Objects.requireNonNull(cell.engine().state().job(new JobId(1)))
                        .spec()
                        .expecting(RuntimeExpectation.NOTHING);
        Input again = new Command.Submit(spec, "", 0, false, "test");
        cell.handle(List.of(new Command.SetPolicy("spf", "test"), again), then.plusSeconds(1));
        runs(cell, 4, then.plusSeconds(2));
        cell.handle(List.of(ends(cell, 4)), then.plusSeconds(600));
        cell.handle(List.of(again), then.plusSeconds(700));
        assertThat(expected(batches)).isTrue();
        assertThat(expected(decided(batches, "fifo"))).as("asked for fifo").isFalse();
        assertThat(expected(decided(batches, "spf"))).as("asked for spf").isTrue();
        assertThat(ask(batches, WhatIfQuestion.of("")).parted()).as("as it was").isNull();
    }

    private static void runs(Cell cell, long job, Instant at) {
        cell.handle(List.of(new Report.TaskRunning(attempt(cell, job), 0)), at);
    }

    private static Report ends(Cell cell, long job) {
        return new Report.TaskEnded(attempt(cell, job), 0, Exit.SUCCESS);
    }

    private static AttemptId attempt(Cell cell, long job) {
        var known = Objects.requireNonNull(cell.engine().state().job(new JobId(job)));
        return Objects.requireNonNull(known.phase().run()).id();
    }

    private static WhatIfResult ask(List<Batch> batches, WhatIfQuestion whatIfQuestion) {
        return new WhatIf(history(batches), whatIfQuestion, RecordTest::way, WhatIf.Watcher.NONE)
                .answer();
    }

    private static @Nullable SchedulerConfig way(String fingerprint) {
        SettingsText.Read read = SettingsText.read(fingerprint);
        return read == null ? null : new SchedulerConfig(read.policy(), read.settings());
    }

    private static History history(List<Batch> batches) {
        return (after, into) -> batches.subList((int) after, batches.size()).forEach(into);
    }

    private static List<Batch> run(String text) {
        var batches = new ArrayList<Batch>();
        Scenario scenario = ScenarioFile.parse("record", text);
        ScenarioPolicy scenarioPolicy = scenario.scenarioPolicy();
        new Simulation(
                        scenario,
                        scenarioPolicy.toPolicy(),
                        scenarioPolicy.toSettings(),
                        1,
                        List.<Listener>of((batch, cycleResult) -> batches.add(batch)))
                .run();
        return batches;
    }
}
