package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.util.stream.Stream;

/// On a sample of our own making, and on the published data where it lies beside the project.
final class SpotCommandsTest {
    private static final Path SHARED = Path.of("..", "..", "shared", "traces", "llm-pools");
    private static final Path SAMPLE = Path.of("..", "samples", "spot");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final StringWriter out = new StringWriter();

    @Test
    void everyExpectedServingRowComesOutAndOursIsCheaper() {
        assumeTrue(Files.isDirectory(SHARED), "needs the published data beside the project");
        assertThat(run("spot-serving", "--data", SHARED.toString())).isZero();
        assertThat(out.toString())
                .contains("OnDemand     equal 40 of 40")
                .contains("NaiveSpread  equal 80 of 80")
                .contains("RoundRobin   equal 80 of 80")
                .contains("SpotHedge    equal 120 of 120")
                .containsPattern("all +all +40 .* \\+0\\.\\d+ / -7\\.\\d+");
    }

    @Test
    void everyExpectedDeadlineRowComesOutAndOursIsCheaper() {
        assumeTrue(Files.isDirectory(SHARED), "needs the published data beside the project");
        Path same = folder.resolve("all.csv");
        int exit = run("spot-deadline", "--data", SHARED.toString(), "--out", same.toString());
        assertThat(exit).isZero();
        assertThat(same)
                .hasSameBinaryContentAs(SHARED.resolve("expected_spot_deadline_shared.csv"));
        assertThat(out.toString())
                .contains("optimum        equal 1080 of 1080")
                .containsPattern("ours +94\\.[67]\\d+ .* 0\n");
    }

    @Test
    void theSampleComesOutByteByByte() {
        Path deadline = folder.resolve("deadline.csv");
        Path serving = folder.resolve("serving.csv");
        assertThat(run("spot-deadline", "--data", SAMPLE.toString(), "--out", deadline.toString()))
                .isZero();
        assertThat(run("spot-serving", "--data", SAMPLE.toString(), "--out", serving.toString()))
                .isZero();
        assertThat(deadline)
                .hasSameBinaryContentAs(SAMPLE.resolve("expected_spot_deadline_sample.csv"));
        assertThat(serving)
                .hasSameBinaryContentAs(SAMPLE.resolve("expected_spot_serving_sample.csv"));
        assertThat(out.toString())
                .contains("up             equal 24 of 24")
                .contains("SpotHedge    equal 4 of 4");
    }

    @Test
    void pagesAndOurRunsAreWritten() throws IOException {
        Path page = folder.resolve("page.md");
        Path ours = folder.resolve("ours.csv");
        assertThat(
                        run(
                                "spot-deadline",
                                "--data",
                                SAMPLE.toString(),
                                "--overhead",
                                "0.1,0.15",
                                "--ours",
                                ours.toString(),
                                "--report",
                                page.toString()))
                .isZero();
        assertThat(Files.readString(page)).contains("| 14 h | 0.15 h |").contains("| ours |");
        assertThat(Files.readAllLines(ours)).hasSize(25).noneMatch(line -> line.endsWith("true"));
        assertThat(run("spot-serving", "--data", SAMPLE.toString(), "--report", page.toString()))
                .isZero();
        assertThat(Files.readString(page)).contains("| river, 4 ticks | even | 2 |");
    }

    @Test
    void anExpectedFigureThatDiffersIsShown() throws IOException {
        copy();
        change("expected_spot_deadline", "11.749517", "11.749518");
        assertThat(run("spot-deadline", "--data", folder.toString())).isZero();
        assertThat(out.toString())
                .contains("optimum        equal 23 of 24")
                .contains("optimum: expected 11.749518, found 11.749517");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    spot-deadline | traces_spot_deadline   | 0,600,1    | 0,600,2    | at tick 0, expected 0 or 1
                    spot-deadline | traces_spot_deadline   | hills,1,   | hills,0,   | came before
                    spot-deadline | traces_spot_deadline   | hills,1,   | other,1,   | has no trace 1 of hills
                    spot-deadline | traces_spot_deadline   | 0,600,     | 0,none,    | correct this line
                    spot-deadline | expected_spot_deadline | 0,8,14,0.2 | 0,8,10,0.2 | came before
                    spot-deadline | expected_spot_deadline | 0,8,10,0.2 | 0,8,7,0.2  | leaves no time
                    spot-deadline | expected_spot_deadline | 0,8,10,0.2 | 0,8,90,0.2 | until the deadline
                    spot-deadline | expected_spot_deadline | ,48,3,8    | ,48        | correct this line
                    spot-serving  | traces_spot_serving    | 3x5 2x5    | 3x5 2y5    | data_rle has
                    spot-serving  | traces_spot_serving    | zone-b     | zone-a     | came before
                    spot-serving  | traces_spot_serving    | zone-a,300 | zone-a,310 | multiple of tick_s
                    spot-serving  | expected_spot_serving  | RoundRobin | Other      | policy is not one of
                    spot-serving  | expected_spot_serving  | river,0,1, | river,0,x, | correct this line
                    spot-serving  | expected_spot_serving  | river,0,1, | lake,0,1,  | has no trace lake
                    """)
    void wrongFilesAreReported(String command, String file, String from, String to, String message)
            throws IOException {
        copy();
        change(file, from, to);
        assertThat(run(command, "--data", folder.toString())).isEqualTo(1);
        assertThat(out.toString()).contains("lab: ").contains(message);
    }

    @ParameterizedTest
    @CsvSource({
        "spot-deadline,traces_spot_deadline",
        "spot-deadline,expected_spot_deadline",
        "spot-serving,traces_spot_serving",
        "spot-serving,expected_spot_serving"
    })
    void missingDoubleAndEmptyFilesAreReported(String command, String beginning)
            throws IOException {
        copy();
        Path file = find(beginning);
        String text = Files.readString(file);
        Files.writeString(file, "");
        assertThat(run(command, "--data", folder.toString())).isEqualTo(1);
        Files.writeString(file, text.lines().findFirst().orElseThrow() + "\n");
        assertThat(run(command, "--data", folder.toString())).isEqualTo(1);
        assertThat(out.toString()).contains("has no rows");
        Files.copy(file, folder.resolve(beginning + "_2.csv"));
        assertThat(run(command, "--data", folder.toString())).isEqualTo(1);
        assertThat(out.toString()).contains("expected one file " + beginning);
        Files.delete(file);
        Files.delete(folder.resolve(beginning + "_2.csv"));
        assertThat(run(command, "--data", folder.toString())).isEqualTo(1);
        assertThat(out.toString()).contains("found none");
    }

    @Test
    void wrongOptionsAreReported() {
        assertThat(run("spot-deadline", "--data", "nowhere")).isEqualTo(1);
        assertThat(out.toString()).contains("there is no directory nowhere");
        for (String wrong : List.of("-1", "2", "NaN", "much")) {
            assertThat(run("spot-deadline", "--data", SAMPLE.toString(), "--overhead", wrong))
                    .isEqualTo(1);
            assertThat(out.toString()).contains("expected hours from 0 to 1, found " + wrong);
        }
    }

    private void copy() throws IOException {
        try (Stream<Path> files = Files.list(SAMPLE)) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(String.valueOf(file.getFileName())));
            }
        }
    }

    private Path find(String beginning) {
        return folder.resolve(beginning + "_sample.csv");
    }

    private void change(String beginning, String from, String to) throws IOException {
        String text = Files.readString(find(beginning));
        int at = text.indexOf(from);
        assertThat(at).as("%s in the sample", from).isNotNegative();
        Files.writeString(
                find(beginning), text.substring(0, at) + to + text.substring(at + from.length()));
    }

    private int run(String... args) {
        var line = Main.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(out, true));
        return line.execute(args);
    }
}
