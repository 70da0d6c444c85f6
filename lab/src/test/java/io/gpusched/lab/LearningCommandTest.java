package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// On the small trace of `lab predict` and small worlds: that the parts run and what they say, not
/// how good it is.
final class LearningCommandTest {
    /// Of the trace; waits grow with it, and the cost of forecasts with its square.
    private static final int JOBS = 110;

    @TempDir Path folder;
    private final StringWriter out = new StringWriter();

    @BeforeEach
    void sample() throws IOException {
        try (InputStream in =
                LearningCommandTest.class.getResourceAsStream("/runtimes/philly_jobs.csv")) {
            String all = new String(Objects.requireNonNull(in).readAllBytes(), UTF_8);
            Files.write(
                    folder.resolve("philly_jobs.csv"), all.lines().limit(JOBS + 1).toList(), UTF_8);
        }
    }

    @Test
    void everyPartWritesItsSection() throws IOException {
        Path page = folder.resolve("page.md");
        assertThat(
                        run(
                                "--nodes",
                                "1",
                                "--jobs",
                                "150",
                                "--worlds",
                                "1",
                                "--report",
                                page.toString()))
                .isZero();
        assertThat(Files.readString(page))
                .contains("| `fifo` by limits |")
                .contains("| **calibrated** |")
                .contains("| 1 | interference |")
                .contains("| UCB1 |");
        assertThat(Files.readString(folder.resolve("regret.svg")))
                .startsWith("<svg")
                .contains("<polyline");
    }

    @Test
    void aPartThatDoesNotExistIsSaidSo() {
        assertThat(run("--part", "luck")).isEqualTo(1);
        assertThat(out.toString()).contains("backfill, starts, interference, regret");
    }

    @Test
    void findingOutCostsLessThanTheTextbooksWays() {
        assertThat(run("--part", "regret", "--jobs", "1200", "--worlds", "2")).isZero();
        double ours = mean("| the model:");
        assertThat(ours)
                .isLessThan(mean("| UCB1 |"))
                .isLessThan(mean("| ε-greedy"))
                .isLessThan(mean("| always greedy"));
    }

    private double mean(String row) {
        String line =
                out.toString().lines().filter(l -> l.startsWith(row)).findFirst().orElseThrow();
        String[] cells = line.split("\\|", -1);
        return Double.parseDouble(cells[cells.length - 2].strip());
    }

    private int run(String... args) {
        var line = Main.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(out, true));
        var all = new ArrayList<String>();
        all.add("learning");
        all.add("--data");
        all.add(folder.toString());
        all.addAll(List.of(args));
        return line.execute(all.toArray(new String[0]));
    }
}
