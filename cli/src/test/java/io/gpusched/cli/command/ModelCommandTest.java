package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.Shell;
import io.gpusched.cli.Stand;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.json.JsonParser;
import io.gpusched.cli.json.JsonWriter;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

final class ModelCommandTest {
    private static final String NOTHING =
            "{\"pairs\":[],\"slowdowns\":[],\"run_times\":[],\"interference\":[]}";

    private final Stand stand = new Stand();

    @AfterEach
    void close() {
        stand.close();
    }

    @Test
    void learnedRunTimesAreShownWithTheirSource() {
        stand.says(
                "GET /api/v1/model",
                """
                {"decisions":{"total":9},"pairs":[{"job_type":"bert","gpu_type":"A100-80GB",
                 "estimate_s":73.4,"uncertainty_s":0.55012,"samples":7,"last_change":null}],
                 "slowdowns":[{"job_type":"bert","neighbour":"noisy","slowdown":0.2047,
                 "samples":5,"last_change":null}],
                 "run_times":[{"job_type":"bert","gpu_type":"A100-80GB","estimate_s":4474.25,
                 "uncertainty_s":3.5,"samples":9,"last_change":null,"drifts":1}],
                 "interference":[{"job_type":"bert","neighbour":"noisy","gpu_type":"",
                 "factor":1.25,"uncertainty":0.1,"samples":4}]}
                """);

        assertThat(Shell.at(stand).run("model").out())
                .isEqualTo(
                        """
                        Run times (from completed jobs and runs reported to /v1/observe)
                        KIND  GPU        ESTIMATE  UNCERTAINTY  RUNS  LAST CHANGE  DRIFTS
                        bert  A100-80GB  1h14m     3.5 s        9     -            1

                        Slowdown by a neighbour on the same GPU
                        KIND  NEIGHBOUR  GPU  TAKES               UNCERTAINTY  RUNS
                        bert  noisy      any  1.25 times as long  10 %         4

                        Run times used by /v1/score (only runs reported to /v1/observe)
                        KIND  GPU        ESTIMATE  UNCERTAINTY  RUNS  LAST CHANGE
                        bert  A100-80GB  73.4 s    0.55 s       7     -

                        Slowdowns used by /v1/score
                        KIND  NEIGHBOUR  SLOWER BY  RUNS  LAST CHANGE
                        bert  noisy      20.5 %     5     -
                        """);
    }

    @Test
    void anUnknownKindIsReportedWithTheNearestNames() {
        stand.says("GET /api/v1/model", NOTHING)
                .says(
                        "GET /api/v1/model",
                        """
                        {"pairs":[{"job_type":"bert"}],"run_times":[{"job_type":"bert"},
                         {"job_type":"vision"},{"job_type":"best"}]}
                        """);

        var outcome = Shell.at(stand).run("model", "besd");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .isEqualTo(
                        """
                        gpu-cli: nothing has been learned about besd: no such job has completed, \
                        and no such run was reported
                          hint:  known kinds: best, bert, vision
                        """);
    }

    @Test
    void anEmptyModelIsReported() {
        stand.says("GET /api/v1/model", NOTHING);
        assertThat(Shell.at(stand).run("model").out())
                .isEqualTo("Nothing has been learned yet: no job has completed.\n");
    }

    @Test
    void jsonOutputContainsTheRunsForAnImport() {
        stand.says("GET /api/v1/model", "{\"pairs\":[]}");
        assertThat(Shell.at(stand).run("model", "-o", "json").out()).contains("\"pairs\"");
        assertThat(stand.lines()).containsExactly("GET /api/v1/model?runs=64");
    }

    @Test
    void anExportedModelIsImported(@TempDir Path temp) throws IOException {
        stand.says("POST /api/v1/model", "{\"pairs\":1,\"slowdowns\":0,\"run_times\":0}")
                .says("POST /api/v1/model", "{\"pairs\":0,\"slowdowns\":0,\"run_times\":2}");
        Path file = temp.resolve("model.json");
        Files.writeString(file, "{\"pairs\":[{}],\"run_times\":[{},{}],\"retention\":9}");

        assertThat(Shell.at(stand).run("model", "--import", file.toString()).out())
                .isEqualTo(
                        "Imported run times of 2 pairs of job kind and GPU model and 0 slowdowns by"
                                + " neighbours; for /v1/score 1 and 0.\n");
    }

    @Test
    void aRefusedPartReportsHowManyWereImported(@TempDir Path temp) throws IOException {
        stand.says("POST /api/v1/model", "{\"pairs\":1}")
                .says("POST /api/v1/model", 400, "{\"error\":\"no\"}");
        Path file = temp.resolve("model.json");
        Files.writeString(file, "{\"pairs\":[{}],\"run_times\":[{}]}");

        var outcome = Shell.at(stand).run("model", "--import", file.toString());

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.err()).contains("1 of 2 parts were imported before one was refused");
    }

    @Test
    void aLargeModelIsSentInPartsTheOldestFirst() {
        var rows = new ArrayList<String>();
        for (int i = 0; i < 100; i++) {
            rows.add("{\"job_type\":\"kind-%02d\"}".formatted(i));
        }
        Json document =
                JsonParser.read(
                        "{\"interference\":[" + String.join(",", rows) + "],\"slowdowns\":[]}");

        List<Json> parts = ModelParts.of(document, 500);

        var sent = new ArrayList<String>();
        for (Json part : parts) {
            String text = JsonWriter.onOneLine(part);
            assertThat(text.length()).isLessThan(550);
            part.at("interference")
                    .items()
                    .reversed()
                    .forEach(one -> sent.add(one.at("job_type").text()));
        }
        assertThat(sent).hasSize(100).isSortedAccordingTo((a, b) -> b.compareTo(a));
    }

    @Test
    void whatIsNoListIsLeftForTheServerToRefuse() {
        Json document = JsonParser.read("{\"pairs\":5}");
        assertThat(ModelParts.of(document)).containsExactly(document);
    }
}
