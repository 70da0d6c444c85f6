package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.lab.environment.EnvironmentParameters;
import io.gpusched.lab.train.TrainingEnvironment;
import io.gpusched.rl.ppo.Checkpoint;
import io.gpusched.rl.ppo.CheckpointFile;
import io.gpusched.rl.ppo.RunFiles;
import io.gpusched.rl.ppo.TrainingRun;
import io.gpusched.rl.ppo.WorkerThreads;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

final class TrainCommandTest {
    private static final List<String> SMALL =
            List.of(
                    "--policy-arch",
                    "mlp",
                    "--num-gpus",
                    "2",
                    "--max-queue-size",
                    "5",
                    "--jobs-per-episode",
                    "20",
                    "--num-eval-episodes",
                    "4",
                    "--eval-episodes",
                    "2",
                    "--eval-num-blocks",
                    "2",
                    "--eval-interval-updates",
                    "1",
                    "--seed",
                    "7");

    @TempDir private Path folder;

    @Test
    void aRunWritesItsCurveAndItsCheckpoints() throws IOException {
        Ran ran = train("--total-timesteps", "4096");
        assertThat(ran.code()).as(ran.err()).isZero();
        List<String> lines = ran.out().lines().toList();
        assertThat(lines).hasSize(6);
        assertThat(lines.get(0)).startsWith("[PPO] update=1  timesteps=2048  loss=");
        assertThat(lines.get(2)).startsWith("[PPO][VAL] ").endsWith("seed_base=2000007");
        assertThat(lines.get(3)).startsWith("[PPO][REPORT] ").endsWith("seed_base=12000007");
        String name = "ppo_baseline_stable_archmlp_lookahead_pergpu_20jobs_w5_seed7_\\d{8}_\\d{6}";
        assertThat(lines.get(4)).matches("\\[PPO] Training curve CSV: .*/" + name + "\\.csv");
        assertThat(lines.get(5))
                .matches("\\[PPO] Best checkpoint: .*/checkpoints/" + name + "_best\\.checkpoint");
        assertThat(Files.readAllLines(Path.of(lines.get(4).substring(26)))).hasSize(3);
        String best = lines.get(5).substring(23);
        assertThat(Ran.lab("evaluate", "--checkpoint", best).err())
                .contains("expected architecture mlp", "window 50, GPUs 8; found")
                .contains("window 5, GPUs 2; use --num-gpus 2 --max-queue-size 5");
    }

    @Test
    @Timeout(120)
    void anInterruptedRunSaysHowToContinueAndEndsAsIfItHadNotBeen() throws Exception {
        assertThat(train("--total-timesteps", "40960").code()).isZero();
        List<byte[]> whole = List.of(only("_best.checkpoint"), only("_last.checkpoint"));

        Path other = Files.createDirectories(folder.resolve("other"));
        var words = new ArrayList<>(List.of("train", "--total-timesteps", "40960"));
        words.addAll(SMALL);
        words.addAll(List.of("--runs", other.toString()));
        Process process = start(words);
        Path last;
        try (var out = process.inputReader()) {
            String line = out.readLine();
            while (line != null && !line.contains("update=3 ")) {
                line = out.readLine();
            }
            // Process.destroy would close the streams.
            process.toHandle().destroy();
            last = find(other, "_last.checkpoint");
            process.waitFor();
        }
        assertThat(process.exitValue()).isNotZero();
        assertThat(process.errorReader().readLine()).isEmpty();
        assertThat(process.errorReader().readLine())
                .isEqualTo("interrupted; continue with: bin/lab train --resume " + last);

        Ran resumed = Ran.lab("train", "--resume", last.toString(), "--threads", "1");
        assertThat(resumed.code()).as(resumed.err()).isZero();
        assertThat(Files.readAllBytes(find(other, "_best.checkpoint"))).isEqualTo(whole.get(0));
        assertThat(Files.readAllBytes(last)).isEqualTo(whole.get(1));
    }

    @Test
    void aCheckpointThatCannotBeResumedIsRefused() throws IOException {
        assertThat(train("--total-timesteps", "2048").code()).isZero();
        Path last = find(folder, "_last.checkpoint");
        assertThat(Ran.lab("train", "--resume", last.toString(), "--seed", "2").err())
                .contains("--resume takes all settings from the checkpoint; remove --seed");
        Path best = find(folder, "_best.checkpoint");
        assertThat(Ran.lab("train", "--resume", best.toString()).err())
                .contains("ends in _last.checkpoint");
        byte[] bytes = Files.readAllBytes(last);
        Files.write(last, Arrays.copyOf(bytes, bytes.length / 2));
        Ran ran = Ran.lab("train", "--resume", last.toString());
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("the checkpoint is truncated: expected " + bytes.length);
    }

    @Test
    void aLossThatIsNotANumberStopsTheRunAndKeepsTheCheckpoint() throws IOException {
        var small =
                new EnvironmentParameters(2, 5, 2000, 10_000, 20, "bursty", null, 1.3, "per_gpu");
        RunFiles files = RunFiles.in(folder, "run");
        try (var threads = new WorkerThreads(1)) {
            TrainingRun.begin(
                    new TrainingOptions().plan("mlp", small, 7),
                    files,
                    TrainingEnvironment.supplier(small.settings()),
                    threads,
                    line -> {});
        }
        Checkpoint broken = CheckpointFile.read(files.last());
        broken.value().weights()[0] = Float.NaN;
        CheckpointFile.write(files.last(), broken);
        byte[] before = Files.readAllBytes(files.last());

        Ran ran = Ran.lab("train", "--resume", files.last().toString());
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err())
                .contains("update 1, minibatch 1: expected finite numbers")
                .contains("training stopped, and the model after update 0 is in " + files.last());
        assertThat(Files.readAllBytes(files.last())).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({
        "--preset, x, 'expected one of baseline_stable, warm_start'",
        "--policy-arch, x, 'expected one of mlp, attn, score'",
        "--lookahead-mode, x, 'expected one of off, per_gpu, sorted, cdf'",
        "--eval-deterministic, 2, 'expected 0 to 1, found 2'",
        "--total-timesteps, 0, 'expected 1 to'",
        "--seed, -1, 'expected 0 to 4294967295'",
        "--threads, 0, 'expected 1 to'",
        "--report-seed-offset, -3000000, 'expected 0 to 4294967295'",
        "--resume, none.checkpoint, 'there is no none.checkpoint'"
    })
    void aWrongOptionIsNamed(String option, String value, String message) {
        Ran ran = Ran.lab("train", option, value);
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains(message);
    }

    private Ran train(String... more) {
        var words = new ArrayList<>(List.of("train", "--runs", folder.resolve("runs").toString()));
        words.addAll(SMALL);
        words.addAll(List.of(more));
        return Ran.lab(words.toArray(String[]::new));
    }

    private byte[] only(String ending) throws IOException {
        return Files.readAllBytes(find(folder.resolve("runs"), ending));
    }

    private static Path find(Path under, String ending) throws IOException {
        try (var files = Files.walk(under)) {
            return files.filter(file -> file.toString().endsWith(ending)).findFirst().orElseThrow();
        }
    }

    private static Process start(List<String> words) throws IOException {
        String classes =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                classes,
                                Main.class.getName()));
        command.addAll(words);
        return new ProcessBuilder(command).start();
    }
}
