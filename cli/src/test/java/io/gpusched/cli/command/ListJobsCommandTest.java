package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.Shell;
import io.gpusched.cli.Stand;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ListJobsCommandTest {
    private static final String TWO_JOBS =
            """
            {"jobs":[
              {"id":"job-2","name":"train","state":"running","gpu_count":4,"priority":500,
               "submitted_at":"2025-03-01T12:00:00.123Z","tenant_id":"a","node_name":"n1",
               "started_at":"2025-03-01T12:00:01Z","preempted_count":1},
              {"id":"job-1","name":"","status":"pending","gpu_count":1,"priority":100,
               "submitted_at":"2025-03-01T11:00:00Z","tenant_id":"b","queue_position":2,"reason":"quota"}],
             "total":2}
            """;

    private final Stand stand = new Stand().says("GET /api/v1/jobs", TWO_JOBS);

    @AfterEach
    void close() {
        stand.close();
    }

    @Test
    void jobsAreShownInATable() {
        var outcome = Shell.at(stand).run("list");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out())
                .isEqualTo(
                        """
                        JOB ID  NAME   TENANT  STATE    GPUs  PRIORITY  ELAPSED  NODE  REASON
                        job-2   train  a       running  4     500       9m59s    n1    -
                        job-1   -      b       pending  1     100       -        -     quota
                        Total: 2
                        """);
        assertThat(stand.lines()).containsExactly("GET /api/v1/jobs?active=true");
    }

    @Test
    void wideShowsWhatElseIsKnown() {
        assertThat(Shell.at(stand).run("list", "-o", "wide", "--no-headers").out())
                .isEqualTo(
                        """
                        job-2  train  a  running  4  500  9m59s  n1  2025-03-01T12:00:00Z  -  -  \
                        2025-03-01T12:00:01Z  -  1  -  -  -  -
                        job-1  -      b  pending  1  100  -      -   2025-03-01T11:00:00Z  2  -  \
                        -                     -  -  -  -  -  quota
                        """);
    }

    @Test
    void filtersGoToTheServer() {
        Shell.at(stand)
                .run(
                        "list",
                        "--tenant",
                        "team a",
                        "--state",
                        "pending",
                        "--limit",
                        "5",
                        "--offset",
                        "10");

        assertThat(stand.lines())
                .containsExactly(
                        "GET /api/v1/jobs?tenant_id=team%20a&state=pending&limit=5&offset=10");
    }

    @Test
    void severalStatesAreSeparatedByCommasOrGivenRepeatedly() {
        Shell.at(stand).run("list", "--state", "pending,running");
        Shell.at(stand).run("squeue", "--state", "pending", "--state=running");

        assertThat(stand.lines())
                .containsExactly(
                        "GET /api/v1/jobs?state=pending%2Crunning",
                        "GET /api/v1/jobs?state=pending%2Crunning");
    }

    @Test
    void theExampleWithXargsDoesNothingForAnEmptyList() {
        assertThat(Shell.at(stand).run("list", "--help").out())
                .contains("-o name | xargs -r gpu-cli cancel");
    }

    @Test
    void theTenantOfTheEnvironmentNarrowsTheListByDefault() {
        Shell shell = Shell.at(stand).with("GPU_SCHEDULER_TENANT_ID", "a");
        shell.run("list");
        shell.run("list", "--tenant", "b");
        shell.run("list", "-A");

        assertThat(stand.lines())
                .containsExactly(
                        "GET /api/v1/jobs?tenant_id=a&active=true",
                        "GET /api/v1/jobs?tenant_id=b&active=true",
                        "GET /api/v1/jobs?active=true");
    }

    @Test
    void finishedJobsAreShownWithAll() {
        Shell.at(stand).run("list", "--all");
        Shell.at(stand).run("squeue", "--state", "completed");

        assertThat(stand.lines())
                .containsExactly("GET /api/v1/jobs", "GET /api/v1/jobs?state=completed");
    }

    @Test
    void anEmptyListTellsHowToListFinishedJobs() {
        try (var empty = new Stand().says("GET /api/v1/jobs", "{\"jobs\":[],\"total\":0}")) {
            assertThat(Shell.at(empty).run("list").out()).contains("gpu-cli list --all");
            assertThat(Shell.at(empty).run("list", "--all").out()).endsWith("Total: 0\n");
        }
    }

    @Test
    void theNodesOfALargeGangAreCounted() {
        try (var gang =
                new Stand()
                        .says(
                                "GET /api/v1/jobs",
                                "{\"jobs\":[{\"id\":\"job-9\",\"node_name\":\"n1,n2,n3,n4\"}],"
                                        + "\"total\":1}")) {
            assertThat(Shell.at(gang).run("list").out()).contains(" n1,n2,+2 ");
        }
    }

    @Test
    void aPageNamesTheNextPage() {
        try (var large =
                new Stand()
                        .says(
                                "GET /api/v1/jobs",
                                "{\"jobs\":[{\"id\":\"job-9\"}],\"total\":120}")) {
            assertThat(Shell.at(large).run("list", "--offset", "10").out())
                    .endsWith("Total: 120 (shown: 11 to 11; next page: --offset 11)\n");
        }
    }

    @Test
    void jsonOutputIsTheWholeAnswer() {
        assertThat(Shell.at(stand).run("list", "-o", "json").out())
                .startsWith("{\n  \"jobs\": [\n    {\n      \"id\": \"job-2\",\n")
                .endsWith("  \"total\": 2\n}\n");
        assertThat(Shell.at(stand).run("list", "-o", "YAML").out())
                .startsWith("jobs:\n  -\n    id: job-2\n    name: train\n")
                .endsWith("total: 2\n");
        assertThat(Shell.at(stand).run("list", "-oname").out()).isEqualTo("job-2\njob-1\n");
    }

    @Test
    void colourIsForTerminalsOnly() {
        String coloured = "\033[32mrunning\033[0m";

        assertThat(Shell.at(stand).onTerminal().run("list").out()).contains(coloured);
        assertThat(Shell.at(stand).run("list").out()).doesNotContain("\033");
        assertThat(Shell.at(stand).onTerminal().with("NO_COLOR", "1").run("list").out())
                .doesNotContain("\033");
    }

    @Test
    void watchingShowsItAgainUntilInterrupted() {
        var shell = Shell.at(stand).interruptedAfter(2);
        var outcome = shell.run("list", "--watch", "--interval", "5", "-o", "name");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).isEqualTo("job-2\njob-1\n\njob-2\njob-1\n\njob-2\njob-1\n");
        assertThat(shell.elapsed()).hasSeconds(15);
    }

    @Test
    void watchingWaitsForEventsWhereTheServerHasThem() {
        stand.says(
                "GET /api/v1/events",
                new Stand.CannedResponse(
                        200,
                        "text/event-stream",
                        "id: 1-0\nevent: running\ndata: {\"kind\":\"running\"}\n\n"));
        var shell = Shell.at(stand).interruptedAfter(1);
        var outcome = shell.run("list", "--watch", "--tenant", "team", "-o", "name");

        assertThat(outcome.out()).isEqualTo("job-2\njob-1\n\njob-2\njob-1\n");
        assertThat(shell.elapsed()).hasSeconds(2);
        assertThat(stand.lines()).contains("GET /api/v1/events?tenant=team");
    }

    @Test
    void watchingOutlivesTheServer() {
        var outcome = Shell.at(stand).interruptedAfter(1).atPause(stand::close).run("list", "-w");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.err()).contains("is the scheduler running?");
    }
}
