package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.Shell;
import io.gpusched.cli.Stand;
import io.gpusched.cli.json.Json;
import io.gpusched.cli.json.JsonParser;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

final class SubmitCommandTest {
    private static final String ACCEPTED =
            "{\"job_id\":\"job-7\",\"status\":\"submitted\",\"message\":\"fine\"}";

    private final Stand stand = new Stand().says("POST /api/v1/jobs", 201, ACCEPTED);

    @AfterEach
    void close() {
        stand.close();
    }

    @Test
    void onlyWhatWasTypedIsSent() {
        var outcome = Shell.at(stand).run("submit", "--gpus", "2");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .isEqualTo(
                        """
                        Job submitted successfully!
                        Job ID: job-7
                        Status: submitted
                        """);
        assertThat(stand.onlyAsked().line()).isEqualTo("POST /api/v1/jobs");
        assertThat(stand.onlyAsked().headers())
                .containsEntry("content-type", "application/json")
                .doesNotContainKeys("authorization", "idempotency-key");
        assertSent("{\"gpu_count\":2,\"tenant_id\":\"default\"}");
    }

    @Test
    void waysToHaveGpusAreSent() {
        Shell.at(stand).run("submit", "--gpu-locality", "nvlink", "--min-bandwidth", "600Gi");
        assertSent(
                "{\"gpu_locality\":\"nvlink\",\"gpu_min_bandwidth\":\"600Gi\","
                        + "\"tenant_id\":\"default\"}");
    }

    @Test
    void theLineOfTheOldDocumentWorks() {
        Shell.at(stand)
                .run(
                        "submit",
                        "--name",
                        "training-job",
                        "--gpus",
                        "2",
                        "--priority",
                        "500",
                        "--tenant-id",
                        "tenant-123");

        assertSent(
                """
                {"name":"training-job","priority":500,"gpu_count":2,"tenant_id":"tenant-123"}
                """);
    }

    @Test
    void everyOptionIsSentUnderItsFieldName() {
        String line =
                "submit --name n --priority -5 --gpus 16 --gpu-memory 40Gi --gpu-model A100-80GB"
                    + " --gpu-model H100 --cpus 8 --memory 64GB --gang --tasks 2 --image i --near"
                    + " rack --within zone --within block --script s --command python --max-runtime"
                    + " 2h30m --grace 60 --checkpoint --no-requeue --hold --env A=1 --env B=x=y"
                    + " --label team=v --node-selector zone=a --toleration gpu=yes:NoSchedule"
                    + " --toleration spot --working-dir /data --tenant-id t --idempotency-key k-1"
                    + " -- train.py --lr 0.1";
        Shell.at(stand).run(line.split(" "));

        assertSent(
                """
                {"name":"n","priority":-5,"gpu_count":16,"gpu_memory_mb":40960,
                 "gpu_model":["A100-80GB","H100"],"cpu_cores":8,"memory_mb":64000,
                 "gang_scheduling":true,"tasks":2,"near":["rack"],"within":["zone","block"],
                 "image":"i","script":"s","command":["python"],
                 "max_runtime_minutes":150,"grace_seconds":60,"held":true,
                 "checkpoint_enabled":true,"requeue":false,
                 "environment":{"A":"1","B":"x=y"},"labels":{"team":"v"},
                 "node_selector":{"zone":"a"},
                 "tolerations":[
                   {"key":"gpu","operator":"Equal","value":"yes","effect":"NoSchedule"},
                   {"key":"spot","operator":"Exists"}],
                 "working_dir":"/data","args":["train.py","--lr","0.1"],"tenant_id":"t"}
                """);
        assertThat(stand.onlyAsked().headers()).containsEntry("idempotency-key", "k-1");
    }

    @Test
    void wordsAfterTwoDashesAreTheCommand() {
        Shell.at(stand).run("submit", "--", "python", "train.py", "--gpus", "9");

        assertSent(
                """
                {"command":["python","train.py","--gpus","9"],"tenant_id":"default"}
                """);
    }

    @Test
    void secondsOfARunningTimeAreKept() {
        Shell.at(stand).run("submit", "--max-runtime", "5s");

        assertSent("{\"max_runtime_seconds\":5,\"tenant_id\":\"default\"}");
    }

    @Test
    void aRunningTimeMayBeWrittenAsForSlurm() {
        Shell.at(stand).run("submit", "--max-runtime", "2-12:00");

        assertSent("{\"max_runtime_minutes\":3600,\"tenant_id\":\"default\"}");
    }

    @Test
    void theEnvironmentMayNameTheTenantAndTheOptionWins() {
        Shell.at(stand).with("GPU_SCHEDULER_TENANT_ID", "team-a").run("submit");
        Shell.at(stand).with("GPU_SCHEDULER_TENANT_ID", "team-a").run("submit", "--tenant-id=b");

        assertThat(stand.asked())
                .extracting(Stand.ReceivedRequest::body)
                .containsExactly("{\"tenant_id\":\"team-a\"}", "{\"tenant_id\":\"b\"}");
    }

    @Test
    void withATokenTheServerKnowsTheTenant() {
        Shell.at(stand).with("GPU_SCHEDULER_TOKEN", "secret").run("submit", "--gpus", "1");

        assertSent("{\"gpu_count\":1}");
        assertThat(stand.onlyAsked().headers()).containsEntry("authorization", "Bearer secret");
    }

    @Test
    void aFileGivesTheRestAndOptionsWin(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("job.json");
        Files.writeString(file, "{\"name\":\"f\",\"gpu_count\":1,\"tenant_id\":\"t\",\"x\":[1]}");

        Shell.at(stand).run("submit", "-f", file.toString(), "--gpus", "4");

        assertSent("{\"name\":\"f\",\"gpu_count\":4,\"tenant_id\":\"t\",\"x\":[1]}");
    }

    @Test
    void standardInputIsAFileToo() {
        Shell.at(stand).typing("{\"name\":\"piped\"}").run("submit", "-f", "-");

        assertSent("{\"name\":\"piped\",\"tenant_id\":\"default\"}");
    }

    @Test
    void aBrokenFileIsWrongUsage() {
        var outcome = Shell.at(stand).typing("{\"name\":}").run("submit", "-f", "-");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err())
                .startsWith("gpu-cli: option --file: -, line 1, column 9: expected a value");
        assertThat(stand.asked()).isEmpty();
    }

    @Test
    void theIdAloneIsGoodForScripts() {
        assertThat(Shell.at(stand).run("submit", "-o", "name").out()).isEqualTo("job-7\n");
    }

    @Test
    void warningsGoBesideTheAnswer() {
        try (var warning =
                new Stand()
                        .says(
                                "POST /api/v1/jobs",
                                201,
                                "{\"job_id\":\"job-8\",\"warnings\":[\"image is kept\"]}")) {
            var outcome = Shell.at(warning).run("submit", "-o", "name");

            assertThat(outcome.code()).isZero();
            assertThat(outcome.out()).isEqualTo("job-8\n");
            assertThat(outcome.err()).isEqualTo("warning: image is kept\n");
        }
    }

    @Test
    void waitingExitsAsTheJobDoes() {
        stand.says("GET /api/v1/jobs/job-7", "{\"state\":\"pending\"}")
                .says("GET /api/v1/jobs/job-7", "{\"state\":\"running\",\"node_name\":\"n1\"}")
                .says("GET /api/v1/jobs/job-7", "{\"state\":\"failed\",\"exit_code\":3}");

        var outcome = Shell.at(stand).run("submit", "--wait");

        assertThat(outcome.code()).isEqualTo(3);
        assertThat(outcome.err())
                .isEqualTo("job-7: pending\njob-7: running on n1\njob-7: failed\n");
    }

    @Test
    void interruptingAWaitReportsThatTheJobContinues() {
        stand.says(
                "GET /api/v1/jobs/job-7",
                "{\"state\":\"pending\",\"message\":\"3 nodes: 2 GPUs free\"}");

        var outcome = Shell.at(stand).interruptedAfter(2).run("submit", "--wait");

        assertThat(outcome.out()).contains("Job ID: job-7\n");
        assertThat(outcome.err())
                .isEqualTo(
                        """
                        job-7: pending (3 nodes: 2 GPUs free)
                        gpu-cli: no longer waiting; job-7 continues to run or wait. To stop it: gpu-cli cancel job-7
                        """);
    }

    @Test
    void graceMaySayItsUnit() {
        Shell.at(stand).run("submit", "--grace", "2m5s");
        assertSent("{\"tenant_id\":\"default\",\"grace_seconds\":125}");
    }

    @Test
    void anAbsentFileIsNamedWithoutTheNamesOfClasses() {
        assertThat(Shell.at(stand).run("submit", "-f", "/no/such.json").err())
                .contains("cannot read /no/such.json (there is no such file)");
    }

    @Test
    void wrongNumbersNeverReachTheServer() {
        var outcome = Shell.at(stand).run("submit", "--gpus", "1.5");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err())
                .startsWith("gpu-cli: option --gpus: expected a whole number, found '1.5'\n");
        assertThat(stand.asked()).isEmpty();
    }

    private void assertSent(String json) {
        Json expected = JsonParser.read(json);
        assertThat(JsonParser.read(stand.onlyAsked().body())).isEqualTo(expected);
    }
}
