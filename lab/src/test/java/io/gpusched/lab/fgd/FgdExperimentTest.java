package io.gpusched.lab.fgd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpusched.core.engine.PlacementStrategies;
import io.gpusched.core.policy.PlacementStrategy;
import io.gpusched.sim.trace.BadTrace;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;

final class FgdExperimentTest {
    private static final Path SHARED = Path.of("..", "..", "shared", "traces", "openb-fgd");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"balanced-fit", "dot-product", "gpu-packing", "gpu-clustering", "fgd"})
    void theCoreChoosesWhatThePlainRulesChoose(String policy) throws IOException {
        for (int seed = 1; seed <= 3; seed++) {
            sample(seed);
            FgdTrace fgdTrace = FgdTrace.read(new FgdFiles(folder), "sample");
            AllocationCurve ours =
                    new FgdExperiment(fgdTrace, placer(policy, fgdTrace, seed), seed).run(seed);
            AllocationCurve plain = new PlainRun(fgdTrace, policy).run(seed);
            for (int k = 0; k < AllocationCurve.COLUMNS; k++) {
                assertThat(ours.has(k)).isEqualTo(plain.has(k));
                if (ours.has(k)) {
                    assertThat(ours.at(k)).as("seed %s, %s %%", seed, k).isEqualTo(plain.at(k));
                }
            }
        }
    }

    @Test
    void chanceFollowsFromTheSeed() throws IOException {
        sample(1);
        FgdTrace fgdTrace = FgdTrace.read(new FgdFiles(folder), "sample");
        AllocationCurve one = new FgdExperiment(fgdTrace, placer("random", fgdTrace, 1), 1).run(1);
        AllocationCurve same = new FgdExperiment(fgdTrace, placer("random", fgdTrace, 1), 1).run(1);
        assertThat(one.at(100)).isEqualTo(same.at(100));
    }

    @Test
    void aDamagedLineIsNamed() throws IOException {
        sample(1);
        Files.writeString(
                folder.resolve("pods_sample.csv"),
                "name,cpu_milli,memory_mib,num_gpu,gpu_milli\npod-0,many,1,1,1000\n");
        assertThatExceptionOfType(BadTrace.class)
                .isThrownBy(() -> FgdTrace.read(new FgdFiles(folder), "sample"))
                .withMessageContaining("pods_sample.csv, line 2");
    }

    @Test
    void thePublishedCurveComesOutPointByPoint() {
        assumeTrue(Files.isDirectory(SHARED), "needs the published data beside the project");
        var fgdFiles = new FgdFiles(SHARED);
        FgdTrace fgdTrace = FgdTrace.read(fgdFiles, "default");
        AllocationCurve allocationCurve =
                new FgdExperiment(fgdTrace, placer("fgd", fgdTrace, 42), 42).run(42);
        PublishedCurves.Match match =
                PublishedCurves.read(fgdFiles).match("default", "FGD", 42, allocationCurve);
        assertThat(match.points()).isEqualTo(AllocationCurve.COLUMNS);
        assertThat(match.within()).isEqualTo(match.points());
    }

    @Test
    void expectedWasteFillsMoreThanFragmentationGradientDescent() {
        assumeTrue(Files.isDirectory(SHARED), "needs the published data beside the project");
        FgdTrace fgdTrace = FgdTrace.read(new FgdFiles(SHARED), "default");
        AllocationCurve ours =
                new FgdExperiment(fgdTrace, placer("expected-waste", fgdTrace, 42), 42).run(42);
        AllocationCurve theirs =
                new FgdExperiment(fgdTrace, placer("fgd", fgdTrace, 42), 42).run(42);
        assertThat(ours.at(100)).isGreaterThan(theirs.at(100));
        assertThat(ours.at(130)).isGreaterThan(theirs.at(130));
    }

    private static PlacementStrategy placer(String policy, FgdTrace fgdTrace, int seed) {
        return Objects.requireNonNull(
                PlacementStrategies.named(policy, false, fgdTrace.typicalWorkload(), seed));
    }

    /// Forty machines of three models and enough pods to ask for a third more than there is.
    private void sample(int seed) throws IOException {
        var random = new Random(seed);
        var nodes = new StringBuilder("sn,cpu_milli,memory_mib,gpu,model\n");
        var rank = new StringBuilder().append(seed);
        for (int i = 0; i < 40; i++) {
            int gpus = 1 << random.nextInt(4);
            nodes.append(
                    "n%d,%d,%d,%d,%s%n"
                            .formatted(
                                    i,
                                    gpus * 12_000,
                                    gpus * 60_000,
                                    gpus,
                                    random.nextBoolean() ? "T4" : "G2"));
            rank.append(' ').append((i * 7 + seed) % 40);
        }
        var pods = new StringBuilder("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n");
        var order = new StringBuilder().append(seed);
        for (int i = 0; i < 400; i++) {
            int kind = random.nextInt(10);
            int gpus = kind == 0 ? 0 : kind > 7 ? 2 : 1;
            int milli = kind == 0 ? 0 : kind > 4 ? 1000 : 100 + 10 * random.nextInt(60);
            pods.append(
                    "p%d,%d,%d,%d,%d,%s%n"
                            .formatted(
                                    i,
                                    1000 * random.nextInt(1, 14),
                                    1000 * random.nextInt(1, 40),
                                    gpus,
                                    milli,
                                    kind == 3 ? "T4" : kind == 6 ? "G2|T4" : ""));
            order.append(' ').append(i);
        }
        Files.writeString(folder.resolve("nodes_gpu.csv"), nodes);
        Files.writeString(folder.resolve("pods_sample.csv"), pods);
        Files.writeString(folder.resolve("pod_order_sample.txt"), order + "\n");
        Files.writeString(folder.resolve("node_tie_rank_sample.txt"), rank + "\n");
    }
}
