package io.gpusched.rl.ppo;

import static io.gpusched.rl.ppo.TestSettings.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

final class TrainingRunTest {
    private static final String HEADER =
            "update,timesteps,mean_ep_return,mean_ep_length,num_episodes,eval_mean_return,"
                    + "eval_min_block_return,eval_max_block_return,eval_block0_return,"
                    + "eval_block1_return,eval_block2_return,invalid_frac,noop_frac,"
                    + "eval_invalid_frac,eval_noop_frac,lr,ent_coef,approx_kl,approx_kl_last,"
                    + "approx_kl_mean,approx_kl_max,early_stop,loss,pg_loss,v_loss,entropy";

    private final TrainingPlan plan = TestSettings.plan(settings().imitationUpdates(1).make(), 5);
    private final WorkerThreads threads = new WorkerThreads(2);
    private final List<String> console = new ArrayList<>();

    @TempDir private Path folder;

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void aResumedRunEndsWithTheSameWeightsAndLog() throws IOException {
        RunFiles whole = RunFiles.in(folder, "whole");
        begin(plan, whole).finish();

        RunFiles halves = RunFiles.in(folder, "halves");
        TrainingRun first = begin(plan, halves);
        first.next();
        first.next();
        first.next();
        byte[] saved = Files.readAllBytes(halves.last());
        first.next();
        Files.write(halves.last(), saved);
        TrainingRun second = resume(plan, halves);
        assertThat(second.update()).isEqualTo(3);
        second.finish();

        assertThat(Files.readAllBytes(halves.last())).isEqualTo(Files.readAllBytes(whole.last()));
        assertThat(Files.readAllBytes(halves.best())).isEqualTo(Files.readAllBytes(whole.best()));
        assertThat(halves.log()).hasSameTextualContentAs(whole.log());
    }

    @Test
    void theLogHasTheColumnsOfTheBenchmark() throws IOException {
        RunFiles files = RunFiles.in(folder, "run");
        begin(plan, files).finish();
        List<String> lines = Files.readAllLines(files.log());
        assertThat(lines).hasSize(6);
        assertThat(lines.getFirst()).isEqualTo(HEADER);
        for (int i = 1; i <= 5; i++) {
            String[] cells = lines.get(i).split(",", -1);
            assertThat(cells).hasSize(26);
            assertThat(cells[0]).isEqualTo("" + i);
            assertThat(cells[1]).isEqualTo("" + 256 * i);
            boolean evaluated = i % 2 == 0;
            assertThat(cells[5].equals("nan")).isEqualTo(!evaluated);
            assertThat(cells[8].isEmpty()).isEqualTo(!evaluated);
            assertThat(cells[13].equals("nan")).isEqualTo(!evaluated);
        }
    }

    @Test
    void theConsoleShowsEveryUpdateAndTheResult() throws IOException {
        RunFiles files = RunFiles.in(folder, "run");
        begin(plan, files).finish();
        String number = "-?[0-9]+\\.[0-9]+";
        assertThat(console).hasSize(8);
        assertThat(console.get(4))
                .matches(
                        ("\\[PPO] update=5  timesteps=1280  loss=N  pg=N  v=N  ent=N  kl_last=N"
                                        + "  kl_mean=N  kl_max=N  stop=0  inv=0.000  noop=N")
                                .replace("N", number));
        assertThat(console.get(5))
                .matches(
                        ("\\[PPO]\\[VAL] Avg total reward over 6 eval episodes: N"
                                        + "  invalid_frac=0.000  noop_frac=N  seed_base=2001")
                                .replace("N ", number + " "));
        assertThat(console.get(6)).startsWith("[PPO][REPORT]").endsWith("seed_base=2501");
        assertThat(console.get(7)).isEqualTo("[PPO] Training curve CSV: " + files.log());
    }

    @Test
    void theBestModelIsThatOfTheBestEvaluation() throws IOException {
        RunFiles files = RunFiles.in(folder, "run");
        Checkpoint best = begin(plan, files).finish();
        double most = Double.NEGATIVE_INFINITY;
        int update = 0;
        for (String line : Files.readAllLines(files.log()).subList(1, 6)) {
            String[] cells = line.split(",");
            double mean = cells[5].equals("nan") ? Double.NaN : Double.parseDouble(cells[5]);
            if (mean > most) {
                most = mean;
                update = Integer.parseInt(cells[0]);
            }
        }
        assertThat(best.progress()).isEqualTo(new Checkpoint.Progress(update, update, most));
        assertThat(
                        plan.validation()
                                .of(
                                        best.policy().network(),
                                        best.policy().weights(),
                                        IdentityEnvironment::new,
                                        threads)
                                .mean())
                .isEqualTo(most);
    }

    @Test
    void aRunTooShortForAnEvaluationKeepsItsLastModel() throws IOException {
        RunFiles files = RunFiles.in(folder, "run");
        Checkpoint best = begin(TestSettings.plan(settings().make(), 1), files).finish();
        assertThat(best.policy().weights())
                .isEqualTo(CheckpointFile.read(files.last()).policy().weights());
    }

    @Test
    void aLossThatIsNotANumberStopsTheRunAndKeepsTheLastGoodModel() throws IOException {
        RunFiles files = RunFiles.in(folder, "run");
        // Each environment makes 32 steps per update: one update imitates, two are good.
        var run = TrainingRun.begin(plan, files, () -> new Breaking(100), threads, console::add);
        run.next();
        run.next();
        byte[] good = Files.readAllBytes(files.last());
        assertThatThrownBy(run::next)
                .isInstanceOf(TrainingDiverged.class)
                .hasMessageContaining("update 3, minibatch 1: expected finite numbers")
                .hasMessageContaining("found loss NaN")
                .hasMessageEndingWith(
                        "training stopped, and the model after update 2 is in " + files.last());
        assertThat(Files.readAllBytes(files.last())).isEqualTo(good);
        Checkpoint kept = CheckpointFile.read(files.last());
        assertThat(kept.progress().update()).isEqualTo(2);
        assertThat(kept.policy().weights()).doesNotContain(Float.NaN);
    }

    @Test
    void anotherPlanIsNotResumed() throws IOException {
        RunFiles files = RunFiles.in(folder, "run");
        begin(plan, files).next();
        assertThatThrownBy(() -> resume(TestSettings.plan(settings().rate(1).make(), 5), files))
                .isInstanceOf(BadCheckpoint.class)
                .hasMessageContaining("the checkpoint is of another run");
    }

    private TrainingRun begin(TrainingPlan by, RunFiles files) throws IOException {
        return TrainingRun.begin(by, files, IdentityEnvironment::new, threads, console::add);
    }

    private TrainingRun resume(TrainingPlan by, RunFiles files) throws IOException {
        return TrainingRun.resume(by, files, IdentityEnvironment::new, threads, console::add);
    }

    /// Gives a reward that is not a number, once.
    private static final class Breaking extends IdentityEnvironment {
        private int left;

        Breaking(int steps) {
            this.left = steps;
        }

        @Override
        public double step(int action) {
            double reward = super.step(action);
            return --left == 0 ? Double.NaN : reward;
        }
    }
}
