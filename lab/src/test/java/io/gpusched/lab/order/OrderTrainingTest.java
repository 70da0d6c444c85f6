package io.gpusched.lab.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.policy.learned.HeadEncoder;
import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.lab.swf.FirstOfModel;
import io.gpusched.lab.swf.JobSequence;
import io.gpusched.rl.evolve.EvolutionStrategy;
import io.gpusched.sim.scenario.SeededRandom;
import io.gpusched.sim.trace.SwfReader;
import io.gpusched.sim.trace.TraceJob;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

final class OrderTrainingTest {
    private static final int PROCS = 64;
    private static final int LENGTH = 40;
    private static final OrderTraining.Plan PLAN =
            new OrderTraining.Plan(new EvolutionStrategy.Settings(2, 0.1, 0.05, 0.9), 3, 4, 2);

    private final List<TraceJob> log = SwfReader.read(Path.of("../samples/batch.swf")).jobs();
    private final TrainingJobs jobs = new TrainingJobs(log, new int[] {150, 180}, LENGTH);

    private OrderTraining training(OrderTraining.Progress from, int threads) {
        return new OrderTraining(PLAN, new SequenceObjective(jobs, PROCS, 3, 2), from, threads);
    }

    private static OrderTraining.Progress begin() {
        return OrderTraining.Progress.begin(3, 4);
    }

    private static ScoreModel finish(OrderTraining training) {
        while (!training.isOver()) {
            training.next();
        }
        return training.best();
    }

    @Test
    void theSeedDecidesTheModelWhateverTheNumberOfThreads() {
        try (var one = training(begin(), 1);
                var two = training(begin(), 2)) {
            assertThat(finish(two)).isEqualTo(finish(one));
        }
    }

    @Test
    void anInterruptedRunEndsWithTheSameModel(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("run");
        try (var whole = training(begin(), 1);
                var half = training(begin(), 1)) {
            half.next();
            half.next();
            ProgressFile.write(file, "a run", half.progress());
            try (var rest = training(ProgressFile.read(file, "a run"), 1)) {
                assertThat(finish(rest)).isEqualTo(finish(whole));
            }
        }
    }

    @Test
    void aFileThatIsDamagedOrOfAnotherRunIsRefused(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("run");
        ProgressFile.write(file, "a run", begin());
        assertThatThrownBy(() -> ProgressFile.read(file, "another"))
                .isInstanceOf(ProgressFile.Unusable.class)
                .hasMessageContaining("expected a run with another, found one with a run");
        byte[] bytes = Files.readAllBytes(file);
        for (int length : new int[] {0, 7, 20, bytes.length - 1}) {
            Files.write(file, Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> ProgressFile.read(file, "a run"))
                    .isInstanceOf(ProgressFile.Unusable.class);
        }
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(() -> ProgressFile.read(file, "a run"))
                .isInstanceOf(ProgressFile.Unusable.class);
    }

    @Test
    void noJobOfATestSequenceIsTrainedOn() {
        Set<String> test = new HashSet<>();
        log.subList(150, 150 + LENGTH).forEach(job -> test.add(job.name()));
        log.subList(180, 180 + LENGTH).forEach(job -> test.add(job.name()));
        for (int i = 0; i < 50; i++) {
            List<TraceJob> drawn = jobs.draw(SeededRandom.of(1, "test", i));
            assertThat(drawn).extracting(TraceJob::name).doesNotContainAnyElementsOf(test);
            assertThat(drawn).hasSizeBetween(LENGTH / 2, LENGTH);
        }
    }

    @Test
    void trainingBeginsWithTheShortestOfEquallyLargeJobs() {
        ScoreModel rule = InitialOrder.model(FirstOfModel.ENCODER, InitialOrder.weights(1, 4));
        var pass = rule.forwardPass(2);
        pass.inputs()[17] = 0.5f;
        pass.inputs()[HeadEncoder.FEATURES + 17] = 0.4f;
        var scores = new float[2];
        pass.scores(2, scores);
        assertThat(scores[1]).isGreaterThan(scores[0]);
    }

    @Test
    void aModelOrdersASequenceOnTheProductionCore() {
        ScoreModel rule = InitialOrder.model(FirstOfModel.ENCODER, InitialOrder.weights(1, 4));
        List<TraceJob> sequence = log.subList(0, 100);
        JobSequence.Figures first =
                new JobSequence(sequence, PROCS, new FirstOfModel(rule, true), true).run();
        JobSequence.Figures again =
                new JobSequence(sequence, PROCS, new FirstOfModel(rule, true), true).run();
        assertThat(again).isEqualTo(first);
        assertThat(first.slowdown()).isGreaterThanOrEqualTo(1);
    }
}
