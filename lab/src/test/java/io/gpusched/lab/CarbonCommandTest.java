package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/// On a sample of our own making, and on the published data where it lies beside the project.
final class CarbonCommandTest {
    private static final Path SHARED = Path.of("..", "..", "shared", "traces", "carbon");
    private static final Path SAMPLE = Path.of("..", "samples", "carbon");

    @TempDir Path folder;
    private final StringWriter out = new StringWriter();

    @Test
    void everyPublishedDigitComesOut() {
        assumeTrue(Files.isDirectory(SHARED), "needs the published data beside the project");
        int exit =
                run(
                        "carbon",
                        "--intensity",
                        SHARED.resolve("lwa_ger_ci_2020.csv.gz").toString(),
                        "--intensity",
                        SHARED.resolve("lwa_gb_ci_2020.csv.gz").toString(),
                        "--jobs",
                        SHARED.resolve("lwa_ml_jobs.csv.gz").toString(),
                        "--error",
                        "0,5");
        assertThat(exit).isZero();
        assertThat(out.toString()).contains("48 of 48 figures equal those of lwa_expected.csv");
    }

    @Test
    void waitingSavesAndPausingSavesMore() throws IOException {
        Path csv = folder.resolve("out.csv");
        Path page = folder.resolve("page.md");
        int exit =
                run(
                        "carbon",
                        "--intensity",
                        SAMPLE.resolve("intensity.csv").toString(),
                        "--jobs",
                        SAMPLE.resolve("jobs.csv").toString(),
                        "--strategy",
                        "next_workday,semi_weekly",
                        "--out",
                        csv.toString(),
                        "--report",
                        page.toString());
        assertThat(exit).isZero();
        assertThat(saving(csv, "next_workday,non")).isPositive();
        assertThat(saving(csv, "next_workday,int")).isGreaterThan(saving(csv, "next_workday,non"));
        assertThat(saving(csv, "semi_weekly,non")).isGreaterThan(saving(csv, "next_workday,non"));
        assertThat(Files.readString(page)).contains("| intensity | semi_weekly | int | 0% |");
    }

    @Test
    void rowsThatCannotBeUsedAreReportedWithTheirLine() throws IOException {
        Path jobs =
                write(
                        "jobs.csv",
                        """
                        job_id,arrival_min,duration_min
                        0,60,30
                        1,-30,30
                        2,60,45
                        3,x,30
                        4,60,9999990
                        """);
        Path intensity =
                write(
                        "ci.csv",
                        """
                        Time,Carbon Intensity
                        2020-01-01 00:00:00,100
                        2020-01-01 00:30:00,90
                        2020-01-01 00:45:00,-1
                        2020-01-01 01:00:00,many
                        2020-01-01 01:30:00,80
                        2020-01-01 02:00:00,80
                        """);
        assertThat(run("carbon", "--intensity", intensity.toString(), "--jobs", jobs.toString()))
                .isZero();
        assertThat(out.toString())
                .contains("ci.csv line 4")
                .contains("ci.csv line 5")
                .contains("jobs.csv line 3")
                .contains("jobs.csv line 4")
                .contains("jobs.csv line 5")
                .contains("jobs.csv line 6")
                .doesNotContain("jobs.csv line 2");
    }

    @Test
    void wrongColumnsEmptyFilesAndCutOnesAreSaidSo() throws IOException {
        Path jobs = SAMPLE.resolve("jobs.csv");
        Path columns = write("columns.csv", "when,what\n");
        Path empty = write("empty.csv", "Time,Carbon Intensity\n");
        assertThat(run("carbon", "--intensity", columns.toString(), "--jobs", jobs.toString()))
                .isEqualTo(1);
        assertThat(out.toString())
                .contains("columns.csv line 1: expected Time,Carbon Intensity, found when,what");
        assertThat(run("carbon", "--intensity", empty.toString(), "--jobs", jobs.toString()))
                .isEqualTo(1);
        assertThat(out.toString()).contains("empty.csv: expected half-hourly rows");
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(Files.readAllBytes(SAMPLE.resolve("intensity.csv")));
        }
        Path cut = folder.resolve("cut.csv.gz");
        Files.write(cut, Arrays.copyOf(packed.toByteArray(), packed.size() / 2));
        assertThat(run("carbon", "--intensity", cut.toString(), "--jobs", jobs.toString()))
                .isEqualTo(1);
        assertThat(out.toString()).contains("cut.csv.gz, after line 4").contains("ends too early");
    }

    @Test
    void unknownStrategiesAreSaidSo() {
        assertThat(run("carbon", "--intensity", "x", "--jobs", "y", "--strategy", "never"))
                .isEqualTo(1);
        assertThat(out.toString()).contains("next_workday, semi_weekly, scenario1, all");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text, StandardCharsets.UTF_8);
    }

    private static double saving(Path csv, String which) throws IOException {
        return Files.readString(csv)
                .lines()
                .filter(line -> line.contains("," + which + ","))
                .mapToDouble(line -> Double.parseDouble(line.split(",", -1)[4]))
                .findFirst()
                .orElseThrow();
    }

    private int run(String... args) {
        var line = Main.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(out, true));
        return line.execute(args);
    }
}
