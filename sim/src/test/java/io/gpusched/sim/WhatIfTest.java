package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.event.Batch;
import io.gpusched.core.model.JobId;
import io.gpusched.sim.RandomScenario.Mood;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioCarbon;
import io.gpusched.sim.scenario.ScenarioFile;
import io.gpusched.sim.scenario.ScenarioPolicy;
import io.gpusched.sim.whatif.History;
import io.gpusched.sim.whatif.InvalidWhatIf;
import io.gpusched.sim.whatif.SchedulerConfig;
import io.gpusched.sim.whatif.Verification;
import io.gpusched.sim.whatif.WhatIf;
import io.gpusched.sim.whatif.WhatIfQuestion;
import io.gpusched.sim.whatif.WhatIfResult;
import io.gpusched.wire.codec.BatchCodec;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// History decided once more: by the same rules it comes to the same, by others to what one can
/// work out.
final class WhatIfTest {
    private static final String TWO_ON_ONE_GPU =
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
    void theSameRulesDecideTheSameInTroubleAndAfterRestarts() {
        for (Mood mood : Mood.values()) {
            PropertyRunner.check(
                    12,
                    seed -> RandomScenario.script(seed, mood, 40),
                    (seed, script) -> {
                        Scenario scenario =
                                RandomScenario.with(RandomScenario.cluster(seed, mood), script);
                        assertSame(scenario, Audited.run(scenario, seed).batches());
                    });
        }
    }

    @Test
    void theSameRulesDecideTheSameInEveryScenario() throws IOException {
        try (Stream<Path> files = Files.list(GoldenTest.SCENARIOS)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList()) {
                if (file.endsWith("busy-day.yaml")) {
                    continue;
                }
                Scenario scenario = ScenarioFile.read(file);
                if (scenario.scenarioPolicy().policy().endsWith(ScenarioCarbon.ENDING)) {
                    continue; // What was foreseen is not recorded.
                }
                assertSame(scenario, Audited.run(scenario, 1).batches());
            }
        }
    }

    @Test
    void anotherPolicyKeepsEveryJobAndEveryInvariant() {
        PropertyRunner.check(
                20,
                seed -> RandomScenario.script(seed, Mood.WILD, 40),
                (seed, script) -> {
                    Scenario scenario =
                            RandomScenario.with(RandomScenario.cluster(seed, Mood.WILD), script);
                    String other = LearnedScenario.anyPolicy(seed);
                    var past = new AuditedPast(scenario, seed);
                    List<Batch> batches = past.batches();
                    long since = batches.size() / 3;
                    Listener audit = past.auditFrom(since, other);
                    var watcher =
                            new WhatIf.Watcher() {
                                @Override
                                public boolean at(long batch, long events, boolean second) {
                                    return true;
                                }

                                @Override
                                public void decided(Batch round, CycleResult cycleResult) {
                                    audit.concluded(round, cycleResult);
                                }
                            };
                    WhatIfResult whatIfResult =
                            new WhatIf(
                                            history(batches),
                                            new WhatIfQuestion(since, null, other, ""),
                                            ways(scenario),
                                            watcher)
                                    .answer();
                    past.settle();
                    assertThat(whatIfResult.otherwise().all().jobs())
                            .isEqualTo(whatIfResult.recorded().all().jobs());
                    assertThat(whatIfResult.afterBatch()).isEqualTo(since);
                });
    }

    @Test
    void theShorterJobGoesFirstWhereItMay() {
        Scenario scenario = ScenarioFile.parse("two", TWO_ON_ONE_GPU);
        List<Batch> batches = Audited.run(scenario, 1).batches();

        WhatIfResult whatIfResult = ask(scenario, batches, WhatIfQuestion.of("sjf"));

        assertThat(whatIfResult.parted()).isNotNull();
        assertThat(whatIfResult.guesses()).isZero();
        assertThat(whatIfResult.starts().same()).isEqualTo(1);
        assertThat(whatIfResult.starts().last())
                .extracting(start -> start.job())
                .containsExactlyInAnyOrder(new JobId(2), new JobId(3));
        // As it was: the long one after 9 min, the short one after 1 h 8 min. Otherwise the short
        // one goes after 8 min and the long one after 14 min.
        double was = whatIfResult.recorded().tenants().get(1).waitMean();
        double would = whatIfResult.otherwise().tenants().get(1).waitMean();
        assertThat(was - would).isCloseTo(3600, offset(60.0));
        assertThat(would).isCloseTo(480, offset(30.0));
        assertThat(whatIfResult.otherwise().all().gpuHours())
                .isCloseTo(whatIfResult.recorded().all().gpuHours(), offset(0.02));
        assertThat(whatIfResult.otherwise().jain()).isGreaterThan(whatIfResult.recorded().jain());
    }

    @Test
    void aJobThatNeverRanTakesAsLongAsItMay() {
        String text =
                TWO_ON_ONE_GPU.replace(
                        "runs: 5m, max_runtime: 10m}",
                        "runs: 5m, max_runtime: 10m}\nactions:\n  - {at: 3h, cancel: short}\n");
        Scenario scenario = ScenarioFile.parse("two", text.replace("runs: 1h, ", "runs: 4h, "));
        scenario = scenario.withRules(scenario.scenarioPolicy().withPolicy("fifo"));
        List<Batch> batches = Audited.run(scenario, 1).batches();

        WhatIfResult whatIfResult = ask(scenario, batches, WhatIfQuestion.of("sjf"));

        assertThat(whatIfResult.guesses()).isEqualTo(1);
        // The short one for its 10 min; so the long one, which ends with the record, does not end.
        assertThat(whatIfResult.otherwise().all().started()).isEqualTo(3);
        assertThat(whatIfResult.otherwise().all().ended()).isEqualTo(2);
    }

    @Test
    void aDrainStopsJobsInTheBranchIfItStoppedJobsInTheJournal() {
        String drain =
                """
                actions:
                  - {at: 30m, drain: n1}
                  - {at: 40m, uncordon: n1}
                """;
        Scenario scenario = ScenarioFile.parse("two", TWO_ON_ONE_GPU + drain);
        List<Batch> batches = Audited.run(scenario, 1).batches();

        WhatIfResult whatIfResult = ask(scenario, batches, WhatIfQuestion.of("sjf"));

        assertThat(whatIfResult.parted()).isNotNull();
        assertThat(whatIfResult.recorded().all().evictions()).isEqualTo(1);
        assertThat(whatIfResult.otherwise().all().evictions()).isEqualTo(1);
    }

    @Test
    void journalsOfOlderReleasesCanBeAskedAbout() throws IOException {
        for (String kept : List.of("v1", "v2")) {
            List<Batch> batches = new ArrayList<>();
            var codec = new BatchCodec();
            for (byte[] bytes : KeptJournalTest.read(KeptJournalTest.FOLDER.resolve(kept))) {
                batches.add(codec.decode(bytes));
            }
            Scenario any = ScenarioFile.parse("any", TWO_ON_ONE_GPU);
            for (String policy : List.of("priority", "fair", "fifo-skip")) {
                WhatIfResult whatIfResult =
                        ask(any, batches, new WhatIfQuestion(20, null, policy, ""));
                assertThat(whatIfResult.batches()).isEqualTo(batches.size() - 20);
                assertThat(whatIfResult.otherwise().all().jobs())
                        .isEqualTo(whatIfResult.recorded().all().jobs());
            }
        }
    }

    @Test
    void whatCannotBeAnsweredIsSaid() {
        Scenario scenario = ScenarioFile.parse("two", TWO_ON_ONE_GPU);
        List<Batch> batches = Audited.run(scenario, 1).batches();
        assertThatThrownBy(() -> ask(scenario, batches, WhatIfQuestion.of("fito")))
                .isInstanceOf(InvalidWhatIf.class)
                .hasMessageContaining("the nearest is fifo");
        assertThatThrownBy(() -> ask(scenario, batches, WhatIfQuestion.since("99999", "fifo", "")))
                .isInstanceOf(InvalidWhatIf.class)
                .hasMessageContaining("the journal ends with batch " + batches.size());
        assertThatThrownBy(() -> ask(scenario, List.of(), WhatIfQuestion.of("fifo")))
                .isInstanceOf(InvalidWhatIf.class)
                .hasMessageContaining("at least one batch");
        assertThatThrownBy(() -> WhatIfQuestion.since("yesterday", "fifo", ""))
                .isInstanceOf(InvalidWhatIf.class)
                .hasMessageContaining("found \"yesterday\"");
    }

    private static void assertSame(Scenario scenario, List<Batch> batches) {
        var since = new WhatIfQuestion(batches.size() / 4, null, "", "");
        for (WhatIfQuestion from : List.of(WhatIfQuestion.of(""), since)) {
            var result = new Verification(history(batches), from, ways(scenario), WATCHER).run();
            assertThat(result.first()).as("%s from %s", scenario.name(), from).isEmpty();
            assertThat(result.differing()).isZero();
            WhatIfResult whatIfResult = ask(scenario, batches, from);
            assertThat(whatIfResult.parted()).isNull();
            assertThat(whatIfResult.otherwise()).isEqualTo(whatIfResult.recorded());
        }
    }

    private static final WhatIf.Watcher WATCHER = WhatIf.Watcher.NONE;

    private static WhatIfResult ask(
            Scenario scenario, List<Batch> batches, WhatIfQuestion whatIfQuestion) {
        return new WhatIf(history(batches), whatIfQuestion, ways(scenario), WATCHER).answer();
    }

    private static SchedulerConfig.Known ways(Scenario scenario) {
        ScenarioPolicy scenarioPolicy = scenario.scenarioPolicy();
        return fingerprint ->
                new SchedulerConfig(scenarioPolicy.policy(), scenarioPolicy.toSettings());
    }

    private static History history(List<Batch> batches) {
        return (after, into) -> batches.subList((int) after, batches.size()).forEach(into);
    }
}
