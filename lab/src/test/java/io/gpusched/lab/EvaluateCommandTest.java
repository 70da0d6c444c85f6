package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

final class EvaluateCommandTest {
    @TempDir Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void thePublishedTableComesOut() {
        assertThat(run("evaluate")).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "Evaluating baseline schedulers...",
                        "",
                        "FIFO         | mean=   0.369  min=   0.340  max=   0.388 | invalid=0.000 "
                                + " noop=0.526",
                        "SJF          | mean=   0.529  min=   0.511  max=   0.554 | invalid=0.000 "
                                + " noop=0.497",
                        "RAND_FEAS_NO0 | mean=   0.525  min=   0.450  max=   0.626 | invalid=0.000 "
                                + " noop=0.513");
    }

    @Test
    void episodesAndAPageAreWritten() throws IOException {
        Path csv = folder.resolve("episodes.csv");
        Path page = folder.resolve("page.md");
        int exit =
                run(
                        "evaluate",
                        "--player",
                        "INDEX",
                        "--eval-episodes",
                        "2",
                        "--eval-num-blocks",
                        "2",
                        "--jobs-per-episode",
                        "30",
                        "--arrival-mode",
                        "all_at_zero",
                        "--lookahead-mode",
                        "cdf",
                        "--out",
                        csv.toString(),
                        "--report",
                        page.toString());
        assertThat(exit).isZero();
        assertThat(Files.readString(csv).lines()).hasSize(5);
        assertThat(Files.readString(csv)).contains("INDEX,2000001,0,").contains("INDEX,2000004,1,");
        assertThat(Files.readString(page))
                .contains("| INDEX |")
                .contains("--jobs-per-episode 30")
                .doesNotContain(folder.toString());
        assertThat(Files.readString(folder.resolve("evaluate.svg"))).contains(">INDEX</text>");
    }

    @Test
    void aCheckpointAddsItsRowTheIndexRuleErrorsAndBlocks() {
        int exit =
                run(
                        "evaluate",
                        "--checkpoint",
                        "shipped",
                        "--eval-episodes",
                        "2",
                        "--eval-num-blocks",
                        "2",
                        "--seed-offset",
                        "5000");
        assertThat(exit).as(err.toString()).isZero();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(10);
        assertThat(lines.get(1)).startsWith("LEARNED is shipped (architecture ");
        assertThat(lines.subList(3, 8))
                .extracting(line -> line.split(" ")[0])
                .containsExactly("FIFO", "SJF", "RAND_FEAS_NO0", "INDEX", "LEARNED");
        assertThat(lines.subList(3, 8))
                .allMatch(line -> line.matches(".* \\| se=0\\.\\d{4}  blocks=\\S+ \\S+"));
        assertThat(lines.get(9))
                .matches("LEARNED - INDEX \\| mean=.* \\| se=.* \\| better in \\d of 4 episodes");
    }

    @Test
    void aCheckpointOfAnotherShapeIsRefusedWithBothShapes() {
        assertThat(run("evaluate", "--checkpoint", "shipped", "--num-gpus", "4")).isEqualTo(1);
        assertThat(err.toString())
                .contains("shipped: the checkpoint has another shape: expected architecture ")
                .contains("GPUs 4; found architecture ", "GPUs 8; use --num-gpus 8");
    }

    @Test
    void aCheckpointThatIsNotOneIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("x"), "text");
        assertThat(run("evaluate", "--checkpoint", file.toString())).isEqualTo(1);
        assertThat(run("evaluate", "--checkpoint", folder.resolve("none").toString())).isEqualTo(1);
        assertThat(err.toString())
                .contains("not a checkpoint of this program", "--checkpoint: there is no ");
    }

    @ParameterizedTest
    @CsvSource({
        "--num-gpus, 99, 1 to 64",
        "--num-gpus, 0, 1 to 64",
        "--lookahead-mode, ahead, 'off, per_gpu, sorted, cdf'",
        "--arrival-mode, tides, 'bursty, all_at_zero'",
        "--player, fifo, 'FIFO, SJF'",
        "--seed, -9999999, 0 to 4294967295",
        "--horizon-factor, NaN, NaN"
    })
    void whatCannotBeIsSaidSo(String option, String value, String expected) {
        assertThat(run("evaluate", option, value)).isEqualTo(1);
        assertThat(err.toString()).contains("expected").contains(expected);
    }

    private int run(String... args) {
        var line = Main.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err, true));
        return line.execute(args);
    }
}
