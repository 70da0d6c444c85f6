package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gpusched.core.event.Batch;
import io.gpusched.sim.RandomScenario.Mood;
import io.gpusched.sim.scenario.Scenario;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The same scenario, policy and seed give the same timeline and the same digests: twice in this
/// process, and in another one whose hash codes, compiler and memory layout differ.
final class DeterminismTest {
    private static final int SEEDS = 20;

    /// The other process: prints the result of each seed.
    static final class Elsewhere {
        private Elsewhere() {}

        public static void main(String[] args) {
            fingerprints().forEach(System.out::println);
        }
    }

    @Test
    void theSameSeedTellsTheSameStoryAgain() {
        Scenario scenario = scenario(3);
        Audited one = Audited.run(scenario, 3);
        Audited other = Audited.run(scenario, 3);
        assertThat(other.timeline()).isEqualTo(one.timeline());
        assertThat(other.batches()).isEqualTo(one.batches());
        assertThat(other.digest()).isEqualTo(one.digest());
        assertThat(other.runReport()).isEqualTo(one.runReport());
    }

    @Test
    void anotherSeedTellsAnotherStory() {
        assertThat(Audited.run(scenario(3), 3).timeline())
                .isNotEqualTo(Audited.run(scenario(4), 4).timeline());
    }

    @Test
    void anotherProcessComesToTheSameEnd() throws IOException, InterruptedException {
        String classes =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseParallelGC",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UnlockExperimentalVMOptions",
                                "-XX:hashCode=2",
                                "-Duser.language=tr",
                                "-Duser.timezone=Asia/Kathmandu",
                                "-cp",
                                classes,
                                Elsewhere.class.getName())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output.lines().toList()).isEqualTo(fingerprints());
    }

    private static List<String> fingerprints() {
        var lines = new ArrayList<String>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            Audited run = Audited.run(scenario(seed), seed);
            long digests = 0;
            for (Batch batch : run.batches()) {
                digests = digests * 31 + batch.digest();
            }
            String story = String.join("\n", run.timeline());
            lines.add(seed + " " + digests + " " + run.digest() + " " + story.hashCode());
        }
        return lines;
    }

    private static Scenario scenario(long seed) {
        return RandomScenario.with(
                RandomScenario.cluster(seed, Mood.WILD),
                RandomScenario.script(seed, Mood.WILD, 40));
    }
}
