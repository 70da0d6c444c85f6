package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.sim.RandomScenario.Mood;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioPolicy;
import io.gpusched.sim.whatif.History;
import io.gpusched.sim.whatif.SchedulerConfig;
import io.gpusched.sim.whatif.ShadowReplay;
import io.gpusched.sim.whatif.Verification;
import io.gpusched.sim.whatif.WhatIf;
import io.gpusched.sim.whatif.WhatIfQuestion;
import io.gpusched.sim.whatif.WhatIfResult;
import io.gpusched.sim.whatif.WhatIfText;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What-if and shadow policies on histories with pools: the same rules decide the same, and another
/// policy keeps the recorded sizes.
final class PoolWhatIfTest {
    private static final Duration PATIENCE = Duration.ofHours(1);

    @Test
    void theSamePolicyDecidesTheSameWithPools() {
        for (Mood mood : Mood.values()) {
            check(3, mood, (scenario, batches) -> assertSame(scenario, batches));
        }
    }

    private static void assertSame(Scenario scenario, List<Batch> batches) {
        var since = new WhatIfQuestion(batches.size() / 3, null, "", "");
        for (WhatIfQuestion from : List.of(WhatIfQuestion.of(""), since)) {
            var verified =
                    new Verification(history(batches), from, ways(scenario), WhatIf.Watcher.NONE)
                            .run();
            assertThat(verified.first()).as("%s from %s", scenario.name(), from).isEmpty();
            WhatIfResult result = ask(scenario, batches, from, WhatIf.Watcher.NONE);
            assertThat(result.parted()).isNull();
            assertThat(result.otherwise()).isEqualTo(result.recorded());
        }
    }

    @Test
    void anotherPolicyKeepsTheRecordedSizesAndSaysSo() {
        check(
                8,
                Mood.STORMY,
                (scenario, batches) -> {
                    String other = LearnedScenario.anyPolicy(batches.size());
                    var sizes = new Sizes();
                    WhatIfResult result =
                            ask(scenario, batches, WhatIfQuestion.of(other), sizes.watcher());
                    var recorded = new Sizes();
                    batches.forEach(recorded::add);
                    assertThat(sizes.all)
                            .as("%s %s", scenario.name(), other)
                            .isEqualTo(recorded.all);
                    assertThat(result.pools()).containsAll(recorded.pools);
                    assertThat(WhatIfText.plain(result))
                            .contains(
                                    result.pools().isEmpty()
                                            ? ""
                                            : "sizes: " + String.join(", ", result.pools()));
                    assertThat(result.otherwise().all().jobs())
                            .isEqualTo(result.recorded().all().jobs());
                });
    }

    @Test
    void theSamePolicyInTheShadowDecidesTheSameWithPools() {
        for (Mood mood : Mood.values()) {
            check(
                    3,
                    mood,
                    (scenario, batches) -> {
                        ShadowReplay.Picture seen =
                                shadow(scenario, batches, "", batches.size() / 3, new Sizes());
                        assertThat(seen.parted()).isNull();
                        assertThat(seen.shadow()).isEqualTo(seen.live());
                    });
        }
    }

    @Test
    void anotherPolicyInTheShadowKeepsTheRecordedSizesAndSaysSo() {
        check(
                8,
                Mood.STORMY,
                (scenario, batches) -> {
                    String other = LearnedScenario.anyPolicy(batches.size());
                    int begin = batches.size() / 4;
                    var sizes = new Sizes();
                    ShadowReplay.Picture seen = shadow(scenario, batches, other, begin, sizes);
                    var recorded = new Sizes();
                    batches.stream()
                            .skip(begin)
                            .filter(batch -> !batch.at().isAfter(seen.at()))
                            .forEach(recorded::add);
                    assertThat(sizes.all)
                            .as("%s %s", scenario.name(), other)
                            .isEqualTo(recorded.all);
                    assertThat(seen.pools()).containsAll(recorded.pools);
                    assertThat(WhatIfText.json(seen)).contains("pools_at_recorded_sizes");
                });
    }

    /// The decided sizes, in order.
    private static final class Sizes {
        private final List<String> all = new ArrayList<>();
        private final Set<String> pools = new TreeSet<>();

        void add(Batch batch) {
            batch.facts().forEach(this::add);
            batch.decided().forEach(this::add);
        }

        private void add(Event event) {
            if (event instanceof Event.PoolScaled e) {
                pools.add(e.pool().name());
                all.add("%s %s %d %d".formatted(e.at(), e.pool(), e.from(), e.to()));
            }
        }

        WhatIf.Watcher watcher() {
            return new WhatIf.Watcher() {
                @Override
                public boolean at(long batch, long events, boolean second) {
                    return true;
                }

                @Override
                public void decided(Batch round, CycleResult cycleResult) {
                    add(round);
                }
            };
        }
    }

    private interface Then {
        void look(Scenario scenario, List<Batch> batches);
    }

    private static void check(int seeds, Mood mood, Then then) {
        PropertyRunner.check(
                seeds,
                seed ->
                        RandomPools.beside(
                                seed,
                                RandomScenario.cluster(seed, mood),
                                RandomScenario.script(seed, mood, 30)),
                (seed, script) -> {
                    Scenario scenario =
                            RandomScenario.with(RandomScenario.cluster(seed, mood), script);
                    then.look(scenario, Audited.run(scenario, seed).batches());
                });
    }

    private static WhatIfResult ask(
            Scenario scenario,
            List<Batch> batches,
            WhatIfQuestion question,
            WhatIf.Watcher watcher) {
        return new WhatIf(history(batches), question, ways(scenario), watcher).answer();
    }

    private static ShadowReplay.Picture shadow(
            Scenario scenario, List<Batch> batches, String policy, int begin, Sizes sizes) {
        ScenarioPolicy rules = scenario.scenarioPolicy();
        var engine = new Engine(rules.toPolicy(), rules.toSettings());
        batches.subList(0, begin).forEach(engine::apply);
        String chosen = engine.state().policy();
        var config =
                new SchedulerConfig(chosen.isEmpty() ? rules.policy() : chosen, rules.toSettings());
        var from = new ShadowReplay.Beginning(engine.image(), engine.learner().image(), config);
        var shadow =
                new ShadowReplay(
                        from,
                        policy,
                        "",
                        ways(scenario),
                        PATIENCE,
                        100_000,
                        (batch, cycleResult) -> sizes.add(batch));
        batches.subList(begin, batches.size()).forEach(shadow::hear);
        return shadow.picture();
    }

    private static SchedulerConfig.Known ways(Scenario scenario) {
        ScenarioPolicy rules = scenario.scenarioPolicy();
        return fingerprint -> new SchedulerConfig(rules.policy(), rules.toSettings());
    }

    private static History history(List<Batch> batches) {
        return (after, into) -> batches.subList((int) after, batches.size()).forEach(into);
    }
}
