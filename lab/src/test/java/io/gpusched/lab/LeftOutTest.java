package io.gpusched.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A comparison reports jobs that it left out, and jobs that did not end.
final class LeftOutTest {
    @TempDir Path folder;

    private Ran compare(String out, String... more) {
        var words = new ArrayList<>(List.of("compare", "--out", folder.resolve(out).toString()));
        words.addAll(List.of(more));
        return Ran.lab(words.toArray(String[]::new));
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    /// The figure in the one row of `runs.csv`.
    private String figure(String out, String key) throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve(out).resolve("runs.csv"));
        assertThat(lines).hasSize(2);
        int column = List.of(lines.getFirst().split(",", -1)).indexOf(key);
        return lines.get(1).split(",", -1)[column];
    }

    private static final String SMALL =
            """
            cluster:
              - {name: n, gpus: 4xA100-80GB}
            tenants:
              - {id: a, max_gpus: 2}
            jobs:
            """;

    @Test
    void jobsThatAreRefusedAreCounted() throws IOException {
        Path scenario =
                file(
                        "small.yaml",
                        SMALL
                                + """
                                  - {name: good, tenant_id: a, gpu_count: 2, runs: 1h}
                                  - {name: bad, tenant_id: a, gpu_count: 4, runs: 1h}
                                """);
        Ran ran = compare("out", "--scenario", scenario.toString(), "--policy", "fifo");
        assertThat(ran.err()).contains("small", "1 of 2 jobs", "refused");
        assertThat(figure("out", "jobs")).isEqualTo("1");
        assertThat(figure("out", "refused")).isEqualTo("1");
    }

    @Test
    void unfinishedJobsAreNamedInTheOverview() throws IOException {
        Path scenario =
                file(
                        "cut.yaml",
                        "until: 2h\n" + SMALL + "  - {name: long, tenant_id: a, runs: 9h}");
        Ran ran = compare("out", "--scenario", scenario.toString(), "--policy", "fifo");
        assertThat(ran.out()).contains("1 unfinished");
        assertThat(figure("out", "makespan_s")).isEqualTo("7200");
    }

    /// Jobs of a log: one ran longer than its limit, one has an unknown runtime, one is too large.
    @Test
    void jobsOfALogRunForAsLongAsTheyRan() throws IOException {
        Path log =
                file(
                        "log.swf",
                        """
                        1 0 0 7200 4 -1 -1 4 3600 -1 1 1 1 -1 1 -1 -1 -1
                        2 60 0 600 4 -1 -1 4 3600 -1 1 1 1 -1 1 -1 -1 -1
                        3 70 0 -1 4 -1 -1 4 3600 -1 1 1 1 -1 1 -1 -1 -1
                        4 80 0 600 400 -1 -1 400 3600 -1 1 1 1 -1 1 -1 -1 -1
                        """);
        String[] words = {
            "--trace", "" + log, "--format", "swf", "--nodes", "1x0", "--cores", "64"
        };
        var all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--policy", "fifo"));
        Ran ran = compare("out", all.toArray(String[]::new));
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.err()).contains("left out 1 job without a known runtime");
        assertThat(ran.err()).contains("left out 1 job too large for the cluster");
        assertThat(figure("out", "jobs")).isEqualTo("2");
        assertThat(figure("out", "completed")).isEqualTo("2");
        assertThat(figure("out", "makespan_s")).isEqualTo("7200");
    }

    @Test
    void everyJobOfATraceIsRunOrCounted() throws IOException {
        String[][] traces = {
            {"../samples/philly.csv", "philly", "4x8", "260", ""},
            {"../samples/batch.swf", "swf", "1x0", "239", "left out 1 row of jobs that never ran"},
            {"../samples/openb-pods.csv", "openb", "12x8", "101", "19 jobs too large"},
            {"../samples/serving.csv", "alibaba-v2025", "4x8", "53", "27 jobs without a known"},
        };
        for (String[] trace : traces) {
            Ran ran =
                    compare(
                            trace[1],
                            "--policy=fifo",
                            "--trace=" + trace[0],
                            "--format=" + trace[1],
                            "--nodes=" + trace[2]);
            assertThat(ran.err()).contains(trace[4]).doesNotContain("refused");
            assertThat(figure(trace[1], "jobs")).as(trace[1]).isEqualTo(trace[3]);
        }
    }

    /// One for each node of the list, and one that neither fits a node nor has a known model.
    @Test
    void podsThatFitNoNodeOfTheListAreCounted() throws IOException {
        Path nodes =
                file(
                        "nodes.csv",
                        """
                        sn,cpu_milli,memory_mib,gpu,model
                        a,96000,393216,2,V100M16
                        b,96000,393216,8,T4
                        """);
        String pod = ",1000,1024,%s,1000,%s,LS,Running,0,3600,0\n";
        Path pods =
                file(
                        "pods.csv",
                        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n"
                            + "fits"
                                + pod.formatted("2", "V100M16")
                                + "too-many"
                                + pod.formatted("4", "V100M16")
                                + "no-such-model"
                                + pod.formatted("1", "H900")
                                + "anywhere"
                                + pod.formatted("8", ""));
        Ran ran =
                compare(
                        "out",
                        "--trace",
                        pods.toString(),
                        "--format",
                        "openb",
                        "--node-list",
                        nodes.toString(),
                        "--policy",
                        "fifo");
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.err()).contains("left out 2 jobs too large for the cluster");
        assertThat(figure("out", "jobs")).isEqualTo("2");
        assertThat(figure("out", "completed")).isEqualTo("2");
        assertThat(figure("out", "refused")).isEqualTo("0");
    }

    @Test
    void namesThatWouldShareAFileAreRefused() throws IOException {
        String text = SMALL + "  - {name: one, tenant_id: a, runs: 1h}";
        Path one = file("a b.yaml", text);
        Path two = file("a_b.yaml", text);
        assertThat(compare("out", "--scenario", "" + one, "--scenario", "" + two).err())
                .contains("two workloads are called a_b");
    }

    @Test
    void aBadNetworkIsChanceAndRunsUnderEverySeed() throws IOException {
        Path scenario =
                file(
                        "net.yaml",
                        SMALL
                                + """
                                  - {name: one, tenant_id: a, runs: 1h}
                                faults:
                                  - {at: 1m, bad_network: {lose: 0.1, duplicate: 0.1}, for: 10m}
                                """);
        String[] words = {"--scenario", "" + scenario, "--policy", "fifo", "--seeds", "1..3"};
        assertThat(compare("out", words).code()).isZero();
        assertThat(Files.readAllLines(folder.resolve("out/runs.csv"))).hasSize(4);
    }

    /// Of 190 jobs, 100 were there at the start: nine were done since.
    @Test
    void whatWasThereAtTheStartIsNoProgress() {
        assertThat(RunProgress.left(Duration.ofSeconds(9), 190, 109, 100))
                .isEqualTo(Duration.ofSeconds(81));
    }
}
