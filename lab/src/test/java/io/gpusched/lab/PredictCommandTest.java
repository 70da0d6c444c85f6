package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// On a small trace of our own making: two teams that work in sessions, a few hundred jobs.
final class PredictCommandTest {
    @TempDir Path folder;
    private final StringWriter out = new StringWriter();

    @BeforeEach
    void sample() throws IOException {
        try (InputStream in =
                PredictCommandTest.class.getResourceAsStream("/runtimes/philly_jobs.csv")) {
            Files.copy(Objects.requireNonNull(in), folder.resolve("philly_jobs.csv"));
        }
    }

    @Test
    void theModelBeatsBothRulesAndItsRangesHold() throws IOException {
        Path page = folder.resolve("page.md");
        assertThat(run("predict", "--data", folder.toString(), "--report", page.toString()))
                .isZero();
        String[] all =
                out.toString()
                        .lines()
                        .filter(line -> line.startsWith("all "))
                        .findFirst()
                        .orElseThrow()
                        .split(" +");
        double running = Double.parseDouble(all[2]);
        double recent = Double.parseDouble(all[3]);
        double ours = Double.parseDouble(all[4]);
        assertThat(ours).isLessThan(recent).isLessThan(running);
        assertThat(Double.parseDouble(all[5])).isBetween(72.0, 88.0);
        assertThat(Files.readString(page))
                .contains("| the median of the last 31 |")
                .contains("| alpha/1 |");
    }

    @Test
    void aFolderWithoutTheTraceIsSaidSo() throws IOException {
        Files.delete(folder.resolve("philly_jobs.csv"));
        assertThat(run("predict", "--data", folder.toString())).isEqualTo(1);
        assertThat(out.toString()).contains("philly_jobs.csv");
    }

    @Test
    void aLineThatIsNoJobIsNamed() throws IOException {
        Files.writeString(
                folder.resolve("philly_jobs.csv"),
                "timestamp,duration,num_gpus,gpu_time,cluster\n2030-01-01 00:00:00,-5,1,1,a\n");
        assertThat(run("predict", "--data", folder.toString())).isEqualTo(1);
        assertThat(out.toString()).contains("line 2").contains("-5");
    }

    @Test
    void rowsThatCannotBeReadAreNamedAndTheOthersUsed() throws IOException {
        Path trace = folder.resolve("philly_jobs.csv");
        Files.writeString(trace, Files.readString(trace) + "2030-01-01 00:00:00,-5,1,1,a\n");
        long last = Files.readString(trace).lines().count();
        assertThat(run("predict", "--data", folder.toString())).isZero();
        assertThat(out.toString())
                .contains("left out 1 row that cannot be read")
                .contains("line " + last)
                .contains("all ");
    }

    private int run(String... args) {
        var line = Main.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(out, true));
        return line.execute(args);
    }
}
