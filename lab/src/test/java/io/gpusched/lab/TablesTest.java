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
import java.util.ArrayList;
import java.util.List;

/// `lab swf` and `lab philly`: on the samples, and on the published data where it lies beside the
/// project.
final class TablesTest {
    private static final Path SAMPLES = Path.of("..", "samples");
    private static final Path SHARED = Path.of("..", "..", "shared", "traces");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final StringWriter out = new StringWriter();

    @ParameterizedTest
    @CsvSource({
        "lublin_256, 256, fcfs, false, 6",
        "lublin_256, 256, sjf, true, 6",
        "lublin_256, 256, f1, true, 6",
        "hpc2n_first3171, 240, sjf, false, 2",
        "hpc2n_first3171, 240, fcfs, true, 2"
    })
    void thePublishedSequencesComeOutToFourDigits(
            String trace, String procs, String policy, boolean backfill, int values) {
        Path file = SHARED.resolve("rlscheduler-swf").resolve(trace + ".swf.gz");
        assumeTrue(Files.exists(file), "needs the published data beside the project");
        var args = new ArrayList<>(List.of("swf", "--trace", file.toString(), "--procs", procs));
        args.addAll(List.of("--policy", policy, "--sequences", "2"));
        if (backfill) {
            args.add("--backfill");
        }
        assertThat(run(args.toArray(String[]::new))).isZero();
        assertThat(out.toString()).contains("equal to 4 digits %d of %d".formatted(values, values));
    }

    @Test
    void thePapersMistakeComesOutToo() {
        Path file = SHARED.resolve("rlscheduler-swf").resolve("hpc2n_first3171.swf.gz");
        assumeTrue(Files.exists(file), "needs the published data beside the project");
        assertThat(
                        run(
                                "swf",
                                "--trace",
                                file.toString(),
                                "--procs",
                                "240",
                                "--policy",
                                "wfp3",
                                "--paper-quirk",
                                "--sequences",
                                "3"))
                .isZero();
        assertThat(out.toString()).contains("equal to 4 digits 6 of 6");
    }

    @Test
    void sequencesOfTheSampleAreWrittenOut() throws IOException {
        Path csv = folder.resolve("table.csv");
        Path page = folder.resolve("page.md");
        assertThat(
                        run(
                                "swf",
                                "--trace",
                                SAMPLES.resolve("batch.swf").toString(),
                                "--procs",
                                "64",
                                "--length",
                                "40",
                                "--sequences",
                                "2",
                                "--policy",
                                "fcfs,wfp3,unicep,index",
                                "--out",
                                csv.toString(),
                                "--report",
                                page.toString()))
                .isZero();
        // Three figures of four orders on two sequences, with and without backfilling.
        assertThat(Files.readAllLines(csv))
                .hasSize(1 + 3 * 4 * 2 * 2)
                .first()
                .isEqualTo("trace,backfill,metric,length,seed,seq,start_index,policy,value");
        assertThat(Files.readString(page)).contains("| unicep |", "With backfilling");
        assertThat(out.toString()).contains("no published results to compare with");
    }

    @Test
    void theTableOfLucidsSimulatorComesOutToTheLastDigit() {
        Path file = SHARED.resolve("philly").resolve("philly_jobs.csv.gz");
        assumeTrue(Files.exists(file), "needs the published data beside the project");
        assertThat(
                        run(
                                "philly",
                                "--trace",
                                file.toString(),
                                "--vc",
                                "103959",
                                "--nodes",
                                "3",
                                "--from",
                                "2017-10-01",
                                "--to",
                                "2017-11-30"))
                .isZero();
        assertThat(out.toString().lines().filter(line -> line.endsWith("equal to the last digit")))
                .hasSize(4);
    }

    @Test
    void aVirtualClusterOfTheSampleRunsUnderAnyPolicy() throws IOException {
        Path csv = folder.resolve("table.csv");
        assertThat(
                        run(
                                "philly",
                                "--trace",
                                SAMPLES.resolve("philly.csv").toString(),
                                "--vc",
                                "vc-b",
                                "--nodes",
                                "3",
                                "--policy",
                                "fifo,tiresias,tiresias-core,srtf-core,wfp3",
                                "--out",
                                csv.toString()))
                .isZero();
        List<String> lines = Files.readAllLines(csv);
        assertThat(lines).hasSize(6);
        assertThat(lines.getFirst())
                .isEqualTo("vc,nodes,policy,jobs,avg_jct_s,avg_queue_s,last_end_s,preemptions");
        assertThat(lines.subList(1, 6)).allMatch(line -> line.startsWith("vc-b,3,"));
    }

    @ParameterizedTest
    @CsvSource({
        "--vc nobody --nodes 2, it has clusters",
        "--vc vc-b --nodes 1, asks for 16 GPUs",
        "--vc vc-a --nodes 2 --from soon, expected a date",
        "--vc vc-a --nodes 2 --policy best, expected one of"
    })
    void whatCannotBeDoneIsSaid(String options, String said) {
        var args = new ArrayList<String>();
        args.addAll(List.of("philly", "--trace", SAMPLES.resolve("philly.csv").toString()));
        args.addAll(List.of(options.split(" ", -1)));
        assertThat(run(args.toArray(String[]::new))).isEqualTo(1);
        assertThat(out.toString()).contains(said);
    }

    @Test
    void sequencesThatTheLogIsTooShortForAreRefused() {
        String file = SAMPLES.resolve("batch.swf").toString();
        assertThat(run("swf", "--trace", file, "--procs", "64")).isEqualTo(1);
        assertThat(out.toString()).contains("at least 2050, found 239");
        assertThat(run("swf", "--trace", file, "--procs", "8", "--length", "9")).isEqualTo(1);
        assertThat(out.toString()).contains("--procs says there are 8");
    }

    private int run(String... args) {
        var line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(out, true));
        return line.execute(args);
    }
}
