package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.gpusched.core.cell.Listener;
import io.gpusched.core.engine.Conclusion;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.model.JobId;
import io.gpusched.sim.RandomScenario.Mood;
import io.gpusched.sim.scenario.CarbonRules;
import io.gpusched.sim.scenario.Rules;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;
import io.gpusched.sim.whatif.BadQuestion;
import io.gpusched.sim.whatif.History;
import io.gpusched.sim.whatif.Question;
import io.gpusched.sim.whatif.Verdict;
import io.gpusched.sim.whatif.Verification;
import io.gpusched.sim.whatif.Way;
import io.gpusched.sim.whatif.WhatIf;
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
                if (scenario.rules().policy().endsWith(CarbonRules.ENDING)) {
                    continue; // What was foreseen is not recorded.
                }
                assertSame(scenario, Audited.run(scenario, 1).batches());
            }
        }
    }

    @Test
    void otherRulesKeepEveryJobAndEveryPromise() {
        PropertyRunner.check(
                20,
                seed -> RandomScenario.script(seed, Mood.WILD, 40),
                (seed, script) -> {
                    Scenario scenario =
                            RandomScenario.with(RandomScenario.cluster(seed, Mood.WILD), script);
                    String other = Policies.NAMES.get((int) (seed % Policies.NAMES.size()));
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
                                public void decided(Batch round, Conclusion conclusion) {
                                    audit.concluded(round, conclusion);
                                }
                            };
                    Verdict verdict =
                            new WhatIf(
                                            history(batches),
                                            new Question(since, null, other, ""),
                                            ways(scenario),
                                            watcher)
                                    .answer();
                    past.settle();
                    assertThat(verdict.otherwise().all().jobs())
                            .isEqualTo(verdict.recorded().all().jobs());
                    assertThat(verdict.afterBatch()).isEqualTo(since);
                });
    }

    @Test
    void theShorterJobGoesFirstWhereItMay() {
        Scenario scenario = ScenarioFile.parse("two", TWO_ON_ONE_GPU);
        List<Batch> batches = Audited.run(scenario, 1).batches();

        Verdict verdict = ask(scenario, batches, Question.of("sjf"));

        assertThat(verdict.parted()).isNotNull();
        assertThat(verdict.guesses()).isZero();
        assertThat(verdict.starts().same()).isEqualTo(1);
        assertThat(verdict.starts().last())
                .extracting(start -> start.job())
                .containsExactlyInAnyOrder(new JobId(2), new JobId(3));
        // As it was: the long one after 9 min, the short one after 1 h 8 min. Otherwise the short
        // one goes after 8 min and the long one after 14 min.
        double was = verdict.recorded().tenants().get(1).waitMean();
        double would = verdict.otherwise().tenants().get(1).waitMean();
        assertThat(was - would).isCloseTo(3600, offset(60.0));
        assertThat(would).isCloseTo(480, offset(30.0));
        assertThat(verdict.otherwise().all().gpuHours())
                .isCloseTo(verdict.recorded().all().gpuHours(), offset(0.02));
        assertThat(verdict.otherwise().jain()).isGreaterThan(verdict.recorded().jain());
    }

    @Test
    void aJobThatNeverRanTakesAsLongAsItMay() {
        String text =
                TWO_ON_ONE_GPU.replace(
                        "runs: 5m, max_runtime: 10m}",
                        "runs: 5m, max_runtime: 10m}\nactions:\n  - {at: 3h, cancel: short}\n");
        Scenario scenario = ScenarioFile.parse("two", text.replace("runs: 1h, ", "runs: 4h, "));
        scenario = scenario.withRules(scenario.rules().withPolicy("fifo"));
        List<Batch> batches = Audited.run(scenario, 1).batches();

        Verdict verdict = ask(scenario, batches, Question.of("sjf"));

        assertThat(verdict.guesses()).isEqualTo(1);
        // The short one for its 10 min; so the long one, which ends with the record, does not end.
        assertThat(verdict.otherwise().all().started()).isEqualTo(3);
        assertThat(verdict.otherwise().all().ended()).isEqualTo(2);
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
                Verdict verdict = ask(any, batches, new Question(20, null, policy, ""));
                assertThat(verdict.batches()).isEqualTo(batches.size() - 20);
                assertThat(verdict.otherwise().all().jobs())
                        .isEqualTo(verdict.recorded().all().jobs());
            }
        }
    }

    @Test
    void whatCannotBeAnsweredIsSaid() {
        Scenario scenario = ScenarioFile.parse("two", TWO_ON_ONE_GPU);
        List<Batch> batches = Audited.run(scenario, 1).batches();
        assertThatThrownBy(() -> ask(scenario, batches, Question.of("fito")))
                .isInstanceOf(BadQuestion.class)
                .hasMessageContaining("the nearest is fifo");
        assertThatThrownBy(() -> ask(scenario, batches, Question.since("99999", "fifo", "")))
                .isInstanceOf(BadQuestion.class)
                .hasMessageContaining("the journal ends with batch " + batches.size());
        assertThatThrownBy(() -> ask(scenario, List.of(), Question.of("fifo")))
                .isInstanceOf(BadQuestion.class)
                .hasMessageContaining("at least one batch");
        assertThatThrownBy(() -> Question.since("yesterday", "fifo", ""))
                .isInstanceOf(BadQuestion.class)
                .hasMessageContaining("found \"yesterday\"");
    }

    private static void assertSame(Scenario scenario, List<Batch> batches) {
        var since = new Question(batches.size() / 4, null, "", "");
        for (Question from : List.of(Question.of(""), since)) {
            var result = new Verification(history(batches), from, ways(scenario), WATCHER).run();
            assertThat(result.first()).as("%s from %s", scenario.name(), from).isEmpty();
            assertThat(result.differing()).isZero();
            Verdict verdict = ask(scenario, batches, from);
            assertThat(verdict.parted()).isNull();
            assertThat(verdict.otherwise()).isEqualTo(verdict.recorded());
        }
    }

    private static final WhatIf.Watcher WATCHER = WhatIf.Watcher.NOBODY;

    private static Verdict ask(Scenario scenario, List<Batch> batches, Question question) {
        return new WhatIf(history(batches), question, ways(scenario), WATCHER).answer();
    }

    private static Way.Known ways(Scenario scenario) {
        Rules rules = scenario.rules();
        return fingerprint -> new Way(rules.policy(), rules.toSettings());
    }

    private static History history(List<Batch> batches) {
        return (after, into) -> batches.subList((int) after, batches.size()).forEach(into);
    }
}
