package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.joining;

import io.gpusched.sim.report.ReportText;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.ScenarioFile;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Every scenario with listed jobs has a golden timeline beside it that a run must reproduce.
/// Scenarios with generated jobs have none, because their timelines are too long to review. Run
/// with `-Dgolden.update=true` to write the timelines again, then review the difference like code.
final class GoldenTest {
    static final Path SCENARIOS = Path.of("..", "scenarios");
    private static final long SEED = 1;

    @TestFactory
    Stream<DynamicTest> everyScenarioTellsTheSameStory() throws IOException {
        try (Stream<Path> files = Files.list(SCENARIOS)) {
            List<Path> scenarios =
                    files.filter(file -> file.toString().endsWith(".yaml"))
                            .filter(file -> Files.exists(goldenOf(file)) || isWrittenDown(file))
                            .sorted()
                            .toList();
            assertThat(scenarios).hasSizeGreaterThan(10);
            return scenarios.stream()
                    .map(
                            file ->
                                    DynamicTest.dynamicTest(
                                            String.valueOf(file.getFileName()), () -> check(file)));
        }
    }

    private static void check(Path file) throws IOException {
        Scenario scenario = ScenarioFile.read(file);
        String story = story(scenario, SEED);
        if (isUpdate()) {
            Files.writeString(goldenOf(file), story);
        }
        assertThat(goldenOf(file)).as("write it with -Dgolden.update=true").exists();
        assertThat(story).isEqualTo(Files.readString(goldenOf(file)));
    }

    @Test
    void everyGoldenHasItsScenario() throws IOException {
        try (Stream<Path> files = Files.list(SCENARIOS)) {
            assertThat(files.filter(file -> file.toString().endsWith(".golden")))
                    .allSatisfy(
                            file ->
                                    assertThat(Path.of(file.toString().replace(".golden", ".yaml")))
                                            .exists());
        }
    }

    static String story(Scenario scenario, long seed) {
        Audited run = Audited.run(scenario, seed);
        String head =
                "scenario %s   policy %s   seed %d\n"
                        .formatted(scenario.name(), scenario.scenarioPolicy().policy(), seed);
        return head
                + String.join("\n", run.timeline())
                + "\n\n"
                + ReportText.plain(run.runReport())
                        .lines()
                        .skip(2)
                        .limit(4)
                        .collect(joining("\n", "", "\n"));
    }

    /// Whether each of its jobs is named in the file.
    private static boolean isWrittenDown(Path file) {
        return ScenarioFile.read(file).workloads().isEmpty();
    }

    private static boolean isUpdate() {
        return Boolean.getBoolean("golden.update");
    }

    private static Path goldenOf(Path scenario) {
        return Path.of(scenario.toString().replaceFirst("\\.yaml$", ".golden"));
    }
}
