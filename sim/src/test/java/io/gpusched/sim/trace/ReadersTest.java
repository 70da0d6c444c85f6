package io.gpusched.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpusched.core.model.Node;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.zip.GZIPOutputStream;

final class ReadersTest {
    private static final Path SAMPLES = Path.of("..", "samples");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void aBatchLogIsRead() {
        Trace trace = SwfReader.read(SAMPLES.resolve("batch.swf"));
        assertThat(trace.jobs()).hasSize(239);
        assertThat(trace.leftOut()).isEqualTo(1);
        TraceJob job = trace.jobs().getFirst();
        assertThat(job.ask().gpus()).isZero();
        assertThat(job.ask().milliCpu()).isPositive();
        assertThat(job.limit()).isGreaterThanOrEqualTo(job.runtime());
        assertThat(job.tenant()).startsWith("user-");
    }

    @Test
    void whatABatchLogDoesNotSayIsFilledIn() throws IOException {
        Path log =
                file(
                        "log.swf",
                        """
                        ; a comment
                        1 10 -1 -1 4 -1 -1 8 -1 -1 1 -1 -1 -1 0 -1 -1 -1
                        2 20 -1 30 4 -1 -1 -1 -1 -1 1 3 -1 -1 0 -1 -1 -1
                        """);
        List<TraceJob> jobs = SwfReader.read(log).jobs();
        assertThat(jobs.getFirst())
                .isEqualTo(
                        new TraceJob(
                                "1",
                                "",
                                Instant.ofEpochSecond(10),
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(10),
                                TraceJob.Ask.ofCores(8)));
        assertThat(jobs.getLast().limit()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void aNegativeRunTimeOfABatchLogIsNotKnown() throws IOException {
        Path log =
                file(
                        "log.swf",
                        """
                        1 10 -1 -5 4 -1 -1 8 -1 -1 1 -1 -1 -1 0 -1 -1 -1
                        2 20 -1 0 4 -1 -1 8 -1 -1 1 -1 -1 -1 0 -1 -1 -1
                        """);
        Trace trace = SwfReader.read(log);
        assertThat(trace.jobs()).hasSize(1);
        assertThat(trace.jobs().getFirst().runtime()).isEqualTo(Duration.ofSeconds(10));
        assertThat(trace.bad().count()).isZero();
        assertThat(trace.leftOut()).isEqualTo(1);
    }

    @Test
    void phillyJobsAreReadAndSorted() {
        Trace trace = PhillyReader.read(SAMPLES.resolve("philly.csv"));
        assertThat(trace.jobs())
                .hasSize(260)
                .isSortedAccordingTo((a, b) -> a.submitted().compareTo(b.submitted()));
        assertThat(trace.outOfOrder()).isEqualTo(1);
        assertThat(trace.remarks())
                .containsExactly(
                        "warning: philly.csv: sorted by time; 1 row stood after a later one");
    }

    @Test
    void nodesAndPodsOfOpenbAreRead() {
        List<Node> nodes = OpenbReader.nodes(SAMPLES.resolve("openb-nodes.csv"));
        assertThat(nodes).hasSize(12);
        Trace pods = OpenbReader.pods(SAMPLES.resolve("openb-pods.csv"));
        assertThat(pods.jobs()).hasSize(120);
        assertThat(pods.jobs()).anyMatch(pod -> pod.ask().milliPerGpu() == 500);
        assertThat(pods.jobs()).anyMatch(pod -> pod.ask().models().equals(List.of("T4", "P100")));
        assertThat(OpenbReader.podRows(SAMPLES.resolve("openb-pods.csv"))).hasSize(120);
    }

    @Test
    void servingInstancesAreRead() {
        Trace trace = ServingReader.read(SAMPLES.resolve("serving.csv"));
        assertThat(trace.jobs()).hasSize(80);
        assertThat(trace.jobs()).anyMatch(job -> job.runtime().isZero());
        assertThat(trace.jobs()).anyMatch(job -> job.ask().gpus() == 1);
        assertThat(trace.jobs().getFirst().submitted()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void requestsTakeAsLongAsTheirTokens() throws IOException {
        assertThat(RequestReader.USUAL.read(SAMPLES.resolve("llm-requests.csv")).jobs())
                .hasSize(240);
        Path one =
                file(
                        "one.csv",
                        """
                        TIMESTAMP,ContextTokens,GeneratedTokens
                        2030-01-01 00:00:00.1234567,1000,50
                        """);
        TraceJob job = new RequestReader(500, 10).read(one).jobs().getFirst();
        assertThat(job.runtime()).isEqualTo(Duration.ofSeconds(7));
        assertThat(job.submitted()).isEqualTo(Instant.parse("2030-01-01T00:00:00.1234567Z"));
    }

    @Test
    void rowsThatCannotBeReadAreCountedWithTheirLines() throws IOException {
        Path jobs =
                file(
                        "jobs.csv",
                        """
                        timestamp,duration,num_gpus,gpu_time,cluster
                        2030-01-01 00:00:00,60.0,1,60.0,a
                        2030-01-01 00:00:10,-5,1,60.0,a
                        yesterday,60.0,1,60.0,a
                        2030-01-01 00:00:20,60.0,0,60.0,a

                        2030-01-01 00:00:30,60.0,1
                        2030-01-01 00:00:40,60.0,2,120.0,a
                        """);
        Trace trace = PhillyReader.read(jobs);
        assertThat(trace.jobs()).hasSize(2);
        assertThat(trace.bad().count()).isEqualTo(4);
        assertThat(trace.bad().first().get(0)).startsWith("line 3: expected timestamp,duration");
        assertThat(trace.bad().first().get(1))
                .endsWith("found yesterday,60.0,1,60.0,a (not a time)");
        assertThat(trace.bad().first().get(3)).startsWith("line 7:");
        assertThat(trace.remarks().getFirst()).contains("jobs.csv", "4 rows");
    }

    @Test
    void everyReaderCountsWhatItCannotReadWithItsLine() throws IOException {
        String swf = " 1 0 0 10 4 -1 -1 4 20 -1 1 1 1 1 -1 -1 -1 -1\n";
        assertBad(SwfReader::read, "; a log\n" + swf, "2 10 0", "3 -5 " + swf.substring(5));
        for (String run : List.of("1e400", "12345678901234567890", "NaN", "Infinity")) {
            assertBad(
                    SwfReader::read,
                    "; a log\n" + swf,
                    swf.replace(" 10 4", " " + run + " 4"),
                    "x");
        }
        assertBad(
                OpenbReader::pods,
                """
                name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time,deletion_time
                a,1000,1024,1,1000,0,10
                """,
                "b,many,1024,1,1000,0,10",
                "c,1000,1024,1,1000,10,0");
        assertBad(
                ServingReader::read,
                """
                instance_sn,role,app_name,cpu_request,gpu_request,memory_request,creation_time,deletion_time
                a,CN,app,4,0,16,0,100
                """,
                "b,CN,app,4,0,16,200,100",
                "c,CN,app,-4,0,16,0,100");
        assertBad(
                RequestReader.USUAL::read,
                """
                TIMESTAMP,ContextTokens,GeneratedTokens
                2030-01-01 00:00:00.0,10,10
                """,
                "noon,10,10",
                "2030-01-01 00:00:00.0,-1,10");
    }

    /// One good row on line 2, two bad ones on lines 3 and 4.
    private void assertBad(Function<Path, Trace> reader, String good, String one, String two)
            throws IOException {
        Trace trace = reader.apply(file("some.csv", good + one.strip() + "\n" + two + "\n"));
        assertThat(trace.jobs()).hasSize(1);
        assertThat(trace.bad().count()).isEqualTo(2);
        assertThat(trace.bad().first().get(0)).startsWith("line 3: expected").contains(one.strip());
        assertThat(trace.bad().first().get(1)).startsWith("line 4: expected").contains("(");
    }

    @Test
    void whereEveryRowCountsTheFirstWrongOneIsNamed() throws IOException {
        Path nodes = file("nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\nn1,1,1,two,T4\n");
        assertThatExceptionOfType(BadTrace.class)
                .isThrownBy(() -> OpenbReader.nodes(nodes))
                .withMessageContaining("nodes.csv, line 2")
                .withMessageContaining("n1,1,1,two,T4 (not a number)");
        Path curve = file("curve.csv", "time,g\n2030-01-01 00:00:00,1\n2030-01-01 00:00:00,2\n");
        assertThatExceptionOfType(BadTrace.class)
                .isThrownBy(() -> IntensityReader.read(curve))
                .withMessageContaining("line 3: expected a time later than the one before");
    }

    @Test
    void twoNodesOfOneNameAreRefused() throws IOException {
        Path nodes =
                file("nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\na,1,1,2,T4\na,1,1,2,T4\n");
        assertThatExceptionOfType(BadTrace.class)
                .isThrownBy(() -> OpenbReader.nodes(nodes))
                .withMessageContaining("nodes.csv, line 3")
                .withMessageContaining("there is another node a");
    }

    @Test
    void everyReaderSkipsAByteOrderMark() throws IOException {
        for (var entry : FuzzedReaders.ALL.entrySet()) {
            Path plain = entry.getValue().sample();
            Path marked = folder.resolve("marked-" + plain.getFileName());
            Files.writeString(marked, "\uFEFF" + Files.readString(plain));
            assertThat(entry.getValue().read().apply(marked))
                    .as(entry.getKey())
                    .isEqualTo(entry.getValue().read().apply(plain));
        }
    }

    @Test
    void aVeryLongLineIsRefusedAndShownInPart() throws IOException {
        Path jobs = file("jobs.csv", "timestamp,duration," + "x".repeat(10_000_000));
        assertThatExceptionOfType(BadTrace.class)
                .isThrownBy(() -> PhillyReader.read(jobs))
                .withMessageContaining("jobs.csv, line 1")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(400));
        Path nodes =
                file(
                        "nodes.csv",
                        "sn,cpu_milli,memory_mib,gpu,model\n" + "y".repeat(1_000_000) + "\n");
        assertThatExceptionOfType(BadTrace.class)
                .isThrownBy(() -> OpenbReader.nodes(nodes))
                .withMessageContaining("nodes.csv, line 2")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(400));
    }

    @Test
    void controlCharactersAreShownByTheirCodes() throws IOException {
        Path nodes =
                file("nodes.csv", "sn,cpu_milli,memory_mib,gpu,model\n\u001b[2Jx,1,1,two,T4\n");
        assertThatExceptionOfType(BadTrace.class)
                .isThrownBy(() -> OpenbReader.nodes(nodes))
                .withMessageContaining("found \\u001b[2Jx,1,1,two,T4");
    }

    @Test
    void aFileWithoutALastLineEndAndWithOldOnesIsReadWhole() throws IOException {
        String text = "sn,cpu_milli,memory_mib,gpu,model\na,1,1,2,T4\nb,1,1,2,T4";
        for (String end : List.of("\n", "\r\n", "\r")) {
            assertThat(OpenbReader.nodes(file("nodes.csv", text.replace("\n", end)))).hasSize(2);
        }
    }

    @Test
    void aGzipNodeListThatIsCutOffIsCalledSo() throws IOException {
        Path whole = folder.resolve("nodes.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(whole))) {
            out.write(Files.readAllBytes(SAMPLES.resolve("openb-nodes.csv")));
        }
        byte[] bytes = Files.readAllBytes(whole);
        for (int length = 20; length < bytes.length; length += 7) {
            Files.write(whole, Arrays.copyOf(bytes, length));
            assertThatExceptionOfType(BadTrace.class)
                    .isThrownBy(() -> OpenbReader.nodes(whole))
                    .withMessageContaining("ends too early or is damaged");
        }
    }

    @Test
    void aMissingColumnIsNamed() throws IOException {
        Path jobs = file("jobs.csv", "timestamp,num_gpus,cluster\n");
        assertThatExceptionOfType(BadTrace.class)
                .isThrownBy(() -> PhillyReader.read(jobs))
                .withMessageContaining("jobs.csv, line 1")
                .withMessageContaining("add the missing ones: duration");
    }

    @Test
    void anEmptyTraceIsSaidSo() throws IOException {
        Path empty = file("empty.swf", "; nothing\n");
        assertThatExceptionOfType(BadTrace.class)
                .isThrownBy(() -> SwfReader.read(empty))
                .withMessageContaining("empty.swf has no jobs");
        Path blank = file("blank.csv", "");
        assertThatExceptionOfType(BadTrace.class)
                .isThrownBy(() -> PhillyReader.read(blank))
                .withMessageContaining("blank.csv is empty");
        assertThatExceptionOfType(BadTrace.class)
                .isThrownBy(() -> PhillyReader.read(folder.resolve("nowhere.csv")))
                .withMessageContaining("there is no file");
    }

    @Test
    void aTruncatedGzipIsNoticed() throws IOException {
        Path whole = folder.resolve("whole.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(whole))) {
            out.write(Files.readAllBytes(SAMPLES.resolve("philly.csv")));
        }
        assertThat(PhillyReader.read(whole).jobs()).hasSize(260);
        byte[] bytes = Files.readAllBytes(whole);
        Path half = folder.resolve("half.csv.gz");
        Files.write(half, Arrays.copyOf(bytes, bytes.length / 2));
        assertThatExceptionOfType(BadTrace.class)
                .isThrownBy(() -> PhillyReader.read(half))
                .withMessageContaining("half.csv.gz, after line 1")
                .withMessageContaining("too early");
        Path plain = folder.resolve("plain.csv.gz");
        Files.write(plain, "not packed".getBytes(StandardCharsets.UTF_8));
        assertThatExceptionOfType(BadTrace.class)
                .isThrownBy(() -> PhillyReader.read(plain))
                .withMessageContaining("not a gzip file");
    }

    @Test
    void aJobLargerThanANodeBecomesAGangOfNodesAndARest() {
        var roles = TraceJob.Ask.ofGpus(20).roles(8);
        assertThat(roles).hasSize(2);
        assertThat(roles.getFirst().min()).isEqualTo(2);
        assertThat(roles.getLast().shape().gpus().milliGpus()).isEqualTo(4000);
        assertThat(TraceJob.Ask.ofGpus(8).roles(8)).hasSize(1);
    }
}
