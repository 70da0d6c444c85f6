package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Files that a command cannot use: it fails with one sentence that names the file and what to do.
final class BadFilesTest {
    private static final Path SAMPLES = Path.of("..", "samples");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final List<List<String>> commands = new ArrayList<>();

    /// A directory with a small file for every command.
    @BeforeEach
    void files() throws IOException {
        fragmentation();
        batches();
        virtualClusters();
        carbon();
        allocator();
        Files.copy(Path.of("..", "scenarios", "quota-wait.yaml"), folder.resolve("scenario.yaml"));
        commands.add(List.of("simulate", path("scenario.yaml")));
    }

    private void fragmentation() throws IOException {
        write(
                "nodes_gpu.csv",
                "sn,cpu_milli,memory_mib,gpu,model\n" + rows("n%d,9000,9000,2,T4\n"));
        write(
                "pods_small.csv",
                "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n" + rows("p%d,1000,1000,1,1000\n"));
        write("pod_order_small.txt", "1 0 1 2 3 0 1 2 3 0 1\n");
        write("node_tie_rank_small.txt", "1 3 1 0 2\n");
        write("expected_alloc_pct.csv", "workload,policy,seed,0,1\nsmall,FGD,1,0.0,\n");
        commands.add(
                List.of(
                        "fgd",
                        "--data",
                        folder.toString(),
                        "--workload",
                        "small",
                        "--policy",
                        "FGD"));
    }

    private void batches() throws IOException {
        copy("batch.swf");
        write(
                "expected_sequences.csv",
                """
                trace,backfill,metric,length,seed,seq,start_index,policy,value
                batch,0,bsld,20,1,0,21,fcfs,1.0
                """);
        commands.add(
                List.of(
                        "swf",
                        "--trace",
                        path("batch.swf"),
                        "--procs",
                        "64",
                        "--length",
                        "20",
                        "--sequences",
                        "1",
                        "--policy",
                        "fcfs"));
    }

    private void virtualClusters() throws IOException {
        copy("philly.csv");
        write(
                "expected_lucid_sim.csv",
                """
                vc,nodes,policy,jobs,avg_jct_s,avg_queue_s,peer_wall_s
                vc-a,4,fifo,1,2.0,3.0,4
                """);
        commands.add(
                List.of(
                        "philly",
                        "--trace",
                        path("philly.csv"),
                        "--vc",
                        "vc-a",
                        "--nodes",
                        "4",
                        "--policy",
                        "fifo"));
    }

    private void carbon() throws IOException {
        Files.copy(SAMPLES.resolve("carbon/intensity.csv"), folder.resolve("ci.csv"));
        Files.copy(SAMPLES.resolve("carbon/jobs.csv"), folder.resolve("jobs.csv"));
        write(
                "lwa_expected.csv",
                """
                region,strategy,variant,forecast_error,replica_value,published_value
                ci,baseline,-,none,1.0,
                """);
        commands.add(
                List.of(
                        "carbon",
                        "--intensity",
                        path("ci.csv"),
                        "--jobs",
                        path("jobs.csv"),
                        "--strategy",
                        "next_workday"));
    }

    private void allocator() throws IOException {
        write(
                "topologies.json",
                """
                {"nodes": {"pair": {"nvlinks": [[0,2],[2,0]],
                  "pcie": [["X","PIX"],["PIX","X"]]}}}
                """);
        write("besteffort_expected.csv", "node,available,size,result\npair,0 1,2,0 1\n");
        write(
                "allocation_cases.json",
                """
                {"single_shot": [{"policy": "best-effort", "node": "pair", "name": "a",
                  "available": [0,1], "required": [], "size": 1, "expect": [0]}]}
                """);
        commands.add(List.of("gpu-allocator", "--data", folder.toString()));
    }

    @Test
    void theFilesAreGoodAsTheyAre() {
        assertAllSucceed();
    }

    private void assertAllSucceed() {
        for (List<String> command : commands) {
            Ran ran = Ran.lab(command.toArray(String[]::new));
            assertThat(ran.err()).as("%s", command).doesNotContain("lab:");
            assertThat(ran.code()).as("%s", command).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1 3 1 0, 3 numbers instead of 4",
        "1 3 1 0 1, 1 twice",
        "1 3 1 0 4, found 4",
        "1 3 1 0 x, found 1 3 1 0 x",
        "2 3 1 0 2, no ranks for seed 1",
    })
    void ranksOfTheFragmentationExperimentAreWholeAndDistinct(String line, String said)
            throws IOException {
        write("node_tie_rank_small.txt", line + "\n");
        fails(0, "node_tie_rank_small.txt", said);
    }

    @Test
    void aSeedThatIsThereTwiceIsRefused() throws IOException {
        write("node_tie_rank_small.txt", "1 3 1 0 2\n\n1 0 1 2 3\n");
        fails(0, "node_tie_rank_small.txt, line 3", "each seed once");
    }

    @Test
    void aRunThatEndsBeforeAllGpusAreAskedForSaysSo() throws IOException {
        write("pod_order_small.txt", "1 0 1\n");
        Ran ran = lab(0);
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).containsPattern("small +FGD +1 +- +- ");
        assertThat(ran.err()).contains("warning: the pods of small, seed 1, ask for 25 %");
    }

    @ParameterizedTest
    @CsvSource({
        "0, expected_alloc_pct.csv",
        "1, expected_sequences.csv",
        "2, expected_lucid_sim.csv",
        "3, lwa_expected.csv",
        "4, besteffort_expected.csv",
    })
    void expectedResultsThatAreEmptyShortOrNoNumbersFail(int command, String name)
            throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve(name));
        write(name, "");
        fails(command, name, "is empty");
        write(name, lines.getFirst() + "\n");
        fails(command, name, "has no rows");
        write(name, lines.getFirst() + "\n" + lines.getLast().split(",", -1)[0] + "\n");
        fails(command, name + ", line 2", "correct this line");
        String row = lines.getLast().replaceFirst("[0-9.]+(,[^,]*)?$", "many$1");
        write(name, lines.getFirst() + "\n" + row + "\n");
        fails(command, name + ", line 2", "not a number");
    }

    @ParameterizedTest
    @ValueSource(strings = {"two", "99999999999", "-1", "65", ""})
    void aSizeThatNoMachineHasIsRefused(String size) throws IOException {
        write("besteffort_expected.csv", "node,available,size,result\npair,0 1," + size + ",0 1\n");
        fails(4, "besteffort_expected.csv, line 2", "correct this line");
        write("besteffort_expected.csv", "node,available,size,result\npair,0 1,2,0 1\n");
        String json = Files.readString(folder.resolve("allocation_cases.json"));
        write("allocation_cases.json", json.replace("\"size\": 1", "\"size\": \"" + size + "\""));
        fails(4, "allocation_cases.json, single_shot 1", "expected a whole number from 0 to 64");
    }

    @Test
    void aGpuThatTheMachineHasNotIsRefused() throws IOException {
        write("besteffort_expected.csv", "node,available,size,result\npair,0 64,2,0 1\n");
        fails(4, "besteffort_expected.csv, line 2", "expected a GPU from 0 to 1, found 64");
    }

    @Test
    void anIntensityThatIsNotInTheOrderOfTimeIsNamedAndNotTheJobs() throws IOException {
        write(
                "ci.csv",
                """
                Time,Carbon Intensity
                2020-01-01 01:00:00,100
                2020-01-01 00:30:00,90
                2020-01-01 00:00:00,80
                """);
        fails(3, "ci.csv line 3", "sort the rows by time");
        assertThat(lab(3).err()).doesNotContain("jobs.csv");
    }

    @Test
    void byteOrderMarksAreSkipped() throws IOException {
        for (Path file : files(folder)) {
            Files.writeString(file, "\uFEFF" + Files.readString(file));
        }
        assertAllSucceed();
    }

    @Test
    void warningsGoToStandardErrorAndControlCharactersToNoTerminal() throws IOException {
        for (int command : List.of(1, 2)) {
            Path file = folder.resolve(command == 1 ? "batch.swf" : "philly.csv");
            Files.writeString(file, Files.readString(file) + "\u001b[31mred\n");
            Ran ran = lab(command);
            assertThat(ran.code()).isZero();
            assertThat(ran.err())
                    .contains("left out 1 row that cannot be read")
                    .contains("\\u001b[31mred");
            assertThat(ran.out()).doesNotContain("cannot be read");
        }
        String philly = Files.readString(folder.resolve("philly.csv"));
        write("philly.csv", philly.replace("vc-b", "vc-\u001b[5mb"));
        Ran ran = Ran.lab("philly", "--trace", path("philly.csv"), "--vc", "none", "--nodes", "4");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("vc-\\u001b[5mb").doesNotContain("\u001b");
    }

    @Test
    void anyBytesInAnyFileGiveAResultOrASentence() throws IOException {
        long seed = Long.getLong("seed", 1);
        var random = new Random(seed);
        for (Path file : files(folder)) {
            byte[] good = Files.readAllBytes(file);
            for (int i = 0; i < 12; i++) {
                Files.write(file, Damage.of(good, random));
                for (List<String> command : using(file)) {
                    Ran ran = Ran.lab(command.toArray(String[]::new));
                    String about = "%s, %s of seed %s: %s".formatted(file, i, seed, ran.err());
                    assertThat(ran.code()).as(about).isBetween(0, 1);
                    assertThat(ran.err())
                            .as(about)
                            .doesNotContain("\tat ")
                            .doesNotContain("Exception")
                            .hasSizeLessThan(20_000)
                            .doesNotContainPattern("[\\p{Cntrl}&&[^\n\t]]");
                    if (ran.code() == 1 && !ran.out().contains("differs")) {
                        assertThat(ran.err()).as(about).contains("lab: ");
                    }
                }
            }
            Files.write(file, good);
        }
    }

    /// The commands that read a file.
    private List<List<String>> using(Path file) {
        String name = file.getFileName().toString();
        int command =
                switch (name) {
                    case "batch.swf", "expected_sequences.csv" -> 1;
                    case "philly.csv", "expected_lucid_sim.csv" -> 2;
                    case "ci.csv", "jobs.csv", "lwa_expected.csv" -> 3;
                    case "topologies.json", "besteffort_expected.csv", "allocation_cases.json" -> 4;
                    case "scenario.yaml" -> 5;
                    default -> 0;
                };
        return List.of(commands.get(command));
    }

    private void fails(int command, String... said) {
        Ran ran = lab(command);
        assertThat(ran.code()).as(ran.err()).isEqualTo(1);
        assertThat(ran.err()).contains("lab: ").contains(said).doesNotContain("\tat ");
        assertThat(ran.out()).doesNotContain("equal 0 of 0");
    }

    private Ran lab(int command) {
        return Ran.lab(commands.get(command).toArray(String[]::new));
    }

    private static List<Path> files(Path folder) throws IOException {
        try (var all = Files.list(folder)) {
            return all.sorted().toList();
        }
    }

    private static String rows(String form) {
        return form.formatted(0) + form.formatted(1) + form.formatted(2) + form.formatted(3);
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private void copy(String name) throws IOException {
        Files.copy(SAMPLES.resolve(name), folder.resolve(name));
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text, StandardCharsets.UTF_8);
    }
}
