package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.Journal;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Batch;
import io.gpusched.core.policy.Policy;
import io.gpusched.sim.RandomScenario.Mood;
import io.gpusched.sim.scenario.Scenario;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A scheduler rebuilt from its journal, or from an image of its state, goes on exactly as if it
/// had never stopped: fed the same inputs at the same times it concludes the same, batch by batch.
final class RestartEqualsContinueTest {
    private static final int CUTS = 6;

    @Test
    void aRestartAtAnyBatchChangesNothingThatFollows() {
        check(20, Mood.CALM);
    }

    @Test
    void aRestartInTheMiddleOfTroubleChangesNothingThatFollows() {
        check(30, Mood.STORMY);
    }

    @Test
    void aRestartAtAnyBatchChangesNothingThatFollowsWhereAModelOrdersTheQueue() {
        PropertyRunner.check(
                30,
                seed -> RandomScenario.script(seed, LearnedScenario.mood(seed), 40),
                (seed, script) -> {
                    Scenario scenario =
                            LearnedScenario.of(
                                    seed, RandomScenario.cluster(seed, LearnedScenario.mood(seed)));
                    Scenario whole = RandomScenario.with(scenario, script);
                    cutEverywhere(whole, Audited.run(whole, seed));
                });
    }

    private static void check(int seeds, Mood mood) {
        PropertyRunner.check(
                seeds,
                seed -> RandomScenario.script(seed, mood, 40),
                (seed, script) -> {
                    Scenario scenario =
                            RandomScenario.with(RandomScenario.cluster(seed, mood), script);
                    cutEverywhere(scenario, Audited.run(scenario, seed));
                });
    }

    static void cutEverywhere(Scenario scenario, Audited run) {
        // Rules may keep what they worked out of an engine's nodes, so each engine has its own.
        Supplier<Policy> policy = scenario.scenarioPolicy()::toPolicy;
        EngineSettings settings = scenario.scenarioPolicy().toSettings();
        var follower = new Engine(policy.get(), settings);
        int every = Math.max(1, run.steps().size() / CUTS);
        for (int cut = 1 + run.batches().size() % every; cut < run.steps().size(); cut += every) {
            int before = run.batchesBefore().get(cut);
            while (follower.lastBatch() < before) {
                follower.apply(run.batches().get((int) follower.lastBatch()));
            }
            var replayed = new Engine(policy.get(), settings);
            run.batches().subList(0, before).forEach(replayed::apply);
            assertThat(replayed.image()).isEqualTo(follower.image());
            continueFrom(cut, replayed, scenario, run);
            var restored =
                    Engine.restore(
                            follower.image(), follower.learner().image(), policy.get(), settings);
            assertThat(restored.image()).isEqualTo(follower.image());
            continueFrom(cut, restored, scenario, run);
        }
    }

    private static void continueFrom(int cut, Engine engine, Scenario scenario, Audited run) {
        int before = run.batchesBefore().get(cut);
        var after = new ArrayList<Batch>();
        var cell = new Cell(engine, new Appending(after), assignment -> {}, (batch, end) -> {});
        for (Simulation.Step step : run.steps().subList(cut, run.steps().size())) {
            cell.handle(step.inputs(), step.now());
        }
        WakeOracleTest.compare(
                scenario, after, run.batches().subList(before, run.batches().size()));
    }

    /// A journal that begins in the middle.
    private record Appending(List<Batch> to) implements Journal {
        @Override
        public void append(Batch batch, Runnable durable) {
            to.add(batch);
            durable.run();
        }

        @Override
        public void replay(long after, Consumer<Batch> into) {}
    }
}
