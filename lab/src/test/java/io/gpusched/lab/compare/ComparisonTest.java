package io.gpusched.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

final class ComparisonTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void theLastGlanceShowsThatAllRunsAreOver() {
        LabWorkload labWorkload = LabWorkload.of(Path.of("..", "scenarios", "quota-wait.yaml"), 0);
        var questions = new ArrayList<PolicyRun>();
        for (String policy : List.of("fifo", "sjf", "fair")) {
            questions.add(
                    new PolicyRun(
                            labWorkload,
                            PolicyVariant.of(policy, ""),
                            1,
                            IntensitySource.constant(480)));
        }
        var over = new ArrayList<Integer>();
        new Comparison(folder, 2).run(questions, (ended, there, runs) -> over.add(runs));
        assertThat(over.getLast()).isEqualTo(3);
    }
}
