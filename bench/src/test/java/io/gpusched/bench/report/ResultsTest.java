package io.gpusched.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

final class ResultsTest {
    private static final MachineDescription MACHINE =
            new MachineDescription(2, "a processor", 24_000, "Linux 6.1", "a JDK 25", 0.25);

    @TempDir private Path folder;

    @Test
    void whatWasPutIsReadBackWhole() throws Exception {
        Result queue =
                result(
                        "queue",
                        Figure.of("pairs", 3_100_000.5, "pairs/s", Target.atLeast(3_000_000))
                                .withNote("3,000,000 to 3,200,000"),
                        Figure.beside("classes", 12, ""));
        results().put(queue);
        assertThat(results().results()).containsExactly(queue);
    }

    @Test
    void aSecondRunReplacesItsOwnSectionOnly() throws Exception {
        results().put(result("start", Figure.of("ready", 2.5, "s", Target.atMost(3))));
        results().put(result("queue", Figure.beside("pairs", 1, "")));
        results().put(result("queue", Figure.beside("pairs", 2, "")));
        assertThat(results().results())
                .extracting(Result::bench, one -> one.figures().getFirst().value())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("queue", 2.0),
                        org.assertj.core.groups.Tuple.tuple("start", 2.5));
    }

    @Test
    void aResultOfABenchThatNoLongerExistsIsDropped() throws Exception {
        new Results(folder, "spine", List.of("old", "queue"))
                .put(result("old", Figure.beside("age", 1, "")));
        results().put(result("queue", Figure.beside("pairs", 1, "")));
        assertThat(results().results()).extracting(Result::bench).containsExactly("queue");
    }

    @Test
    void thePageSaysWhatWasReachedAndWhatWasNot() throws Exception {
        results()
                .put(
                        result(
                                "queue",
                                Figure.of("short", 3_100_000, "pairs/s", Target.atLeast(3_000_000)),
                                Figure.of("long", 900_000, "pairs/s", Target.atLeast(1_250_000)),
                                Figure.beside("classes", 3919, "")));
        results().put(result("start", Figure.of("ready", 2.456, "s", Target.atMost(3))));
        assertThat(page())
                .contains(
                        "Targets reached: 2 of 3.",
                        "| queue | short | 3,100,000 pairs/s | ≥ 3,000,000 pairs/s | yes |",
                        "| queue | long | 900,000 pairs/s | ≥ 1,250,000 pairs/s | **no** |",
                        "| classes | 3,919 |  |  |  |",
                        "| start | ready | 2.46 s | ≤ 3 s | yes |",
                        "Measured 2026-02-03 04:05 UTC on 2 cores (a processor), 23 GiB of memory,"
                                + " Linux 6.1, a JDK 25; load before: 0.25.");
        assertThat(page()).contains("bin/bench");
    }

    @Test
    void thisMachineCanBeDescribed() {
        MachineDescription here = MachineDescription.here();
        assertThat(here.cores()).isPositive();
        assertThat(here.processor()).isNotBlank();
        assertThat(here.jdk()).contains(String.valueOf(Runtime.version().feature()));
    }

    private Results results() {
        return new Results(folder, "spine", List.of("queue", "start"));
    }

    private String page() throws IOException {
        return Files.readString(folder.resolve("spine.md"));
    }

    private static Result result(String bench, Figure... figures) {
        return new Result(
                bench,
                "a title",
                "How it was done.",
                Instant.parse("2026-02-03T04:05:06Z"),
                MACHINE,
                List.of(figures));
    }
}
