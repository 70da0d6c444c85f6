package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/// On a sample of our own making, whose plans another program made, and on the published data where
/// it lies beside the project.
final class CarbonScalerCommandTest {
    private static final Path SHARED = Path.of("..", "..", "shared", "traces");
    private static final Path SAMPLE = Path.of("..", "samples", "carbon-scaler");
    private static final String EXPECTED = "expected_carbon_scaler_sample.csv";
    private static final String INTENSITY = "electricitymaps_hourly_sample.csv";

    @TempDir Path folder;

    @Test
    void everyPublishedScheduleComesOut() throws IOException {
        Path data = SHARED.resolve("llm-pools");
        assumeTrue(Files.isDirectory(data), "needs the published data beside the project");
        Path out = folder.resolve("out.csv");
        Ran ran = run(data, SHARED.resolve("carbon"), "--out", out.toString());
        assertThat(ran.out()).endsWith("equal 144 of 144\n");
        assertThat(out).hasSameTextualContentAs(data.resolve("expected_carbon_scaler_shared.csv"));
    }

    @Test
    void theScheduleOfEveryJobEqualsTheSample() throws IOException {
        Path out = folder.resolve("out.csv");
        Path page = folder.resolve("page.md");
        Ran ran = run(SAMPLE, SAMPLE, "--out", out.toString(), "--report", page.toString());
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).endsWith("equal 16 of 16\n").contains("north", "south");
        assertThat(out).hasSameTextualContentAs(SAMPLE.resolve(EXPECTED));
        assertThat(Files.readString(page)).contains("equal **16 of 16**", "| south | nbody10k |");
    }

    @Test
    void filesAreFoundByTheirBeginningAndSeveralExpectedOnesAreReadTogether() throws IOException {
        Files.copy(SAMPLE.resolve(EXPECTED), folder.resolve("expected_carbon_scaler_2.txt"));
        Files.copy(SAMPLE.resolve(EXPECTED), folder.resolve("expected_carbon_scaler"));
        Files.copy(SAMPLE.resolve(INTENSITY), folder.resolve("electricitymaps_hourly.other"));
        assertThat(run(folder, folder).out()).endsWith("equal 32 of 32\n");
    }

    @Test
    void aDifferentScheduleIsShownAndNotCounted() throws IOException {
        String text = Files.readString(SAMPLE.resolve(EXPECTED));
        String first = text.lines().skip(1).findFirst().orElseThrow();
        String cells = first.substring(0, first.lastIndexOf(','));
        write(EXPECTED, text.replace(first, cells + ",99.0000"));
        Ran ran = run(folder, SAMPLE);
        assertThat(ran.out())
                .endsWith("equal 15 of 16\n")
                .contains("expected " + cells + ",99.0000");
        assertThat(ran.out()).contains("found    " + first);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "north,nbody9,6,24,7,0,1,1,1 | row 1: expected profile one of [nbody100k,"
                        + " nbody10k]",
                "east,nbody10k,6,24,7,0,1,1,1 | row 1: expected zone one of [north, south], found"
                        + " east",
                "north,nbody10k,160,24,7,0,1,1,1 | within the 168 hours of north",
                "north,nbody10k,160,2,7,0,1,1,1 | within the 168 hours of north",
                "north,nbody10k,-1,24,7,0,1,1,1 | start_hour is not a number from 0",
                "north,nbody10k,6,0,7,0,1,1,1 | deadline_h is not a number from 1",
                "north,nbody10k,6,24,8,0,1,1,1 | max_nodes is not a number from 1 to 7",
                "north,nbody10k,6,24,7,0,x,1,1 | line 2",
                "north,nbody10k | line 2",
            })
    void aJobThatCannotBePlannedIsAnErrorThatNamesItsRow(String row, String said)
            throws IOException {
        write(EXPECTED, header(EXPECTED) + "\n" + row + "\n");
        assertFails(run(folder, SAMPLE), EXPECTED, said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2026-01-05 00:00:00,north,-1 | from 0 to 1000000",
                "2026-01-05 00:00:00,north,NaN | not a finite number",
                "yesterday,north,1 | line 2",
                "2026-01-05 00:00:00,north | line 2",
            })
    void badHoursAreAnErrorThatNamesTheirLine(String row, String said) throws IOException {
        write(INTENSITY, header(INTENSITY) + "\n" + row + "\n");
        assertFails(run(SAMPLE, folder), INTENSITY, said);
    }

    @Test
    void aMissingHourIsAnError() throws IOException {
        String text = Files.readString(SAMPLE.resolve(INTENSITY));
        String third = text.lines().skip(3).findFirst().orElseThrow();
        write(INTENSITY, text.replace(third + "\n", ""));
        assertFails(run(SAMPLE, folder), "line 4", "next hour of north is 2026-01-05T02:00");
    }

    @Test
    void emptyAndMissingFilesAreErrors() throws IOException {
        assertFails(run(folder, SAMPLE), "--data", "expected a file expected_carbon_scaler…");
        assertFails(run(SAMPLE, folder), "--carbon", "expected a file electricitymaps_hourly…");
        assertFails(run(SAMPLE, folder.resolve("none")), "--carbon", "expected a directory");
        write(EXPECTED, "");
        assertFails(run(folder, SAMPLE), EXPECTED, "is empty");
        write(EXPECTED, header(EXPECTED) + "\n");
        assertFails(run(folder, SAMPLE), EXPECTED, "has no rows");
        write(INTENSITY, "x");
        write(INTENSITY + "2", "x");
        assertFails(run(SAMPLE, folder), "found " + INTENSITY + ", " + INTENSITY + "2");
    }

    private void assertFails(Ran ran, String... said) {
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).startsWith("lab: ").contains(said);
        assertThat(ran.err().strip().lines()).hasSize(1);
    }

    private static String header(String name) throws IOException {
        return Files.readString(SAMPLE.resolve(name)).lines().findFirst().orElseThrow();
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private static Ran run(Path data, Path carbon, String... more) {
        String[] words = {
            "carbon-scaler", "--data", data.toString(), "--carbon", carbon.toString()
        };
        return Ran.lab(
                Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new));
    }
}
