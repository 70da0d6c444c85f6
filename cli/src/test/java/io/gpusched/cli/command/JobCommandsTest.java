package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.Shell;
import io.gpusched.cli.Stand;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class JobCommandsTest {
    private final Stand stand = new Stand();

    @AfterEach
    void close() {
        stand.close();
    }

    @Test
    void aJobIsShownWithWhatIsKnownOfIt() {
        stand.says(
                "GET /api/v1/jobs/job-7",
                """
                {"job_id":"job-7","state":"pending","status":"pending","message":"",
                 "allocated_gpus":null,"node_name":"","queue_position":3,"estimated_wait":750,
                 "estimated_wait_range":{"p10":60,"p50":750,"p90":3600},"name":"train",
                 "tenant_id":"a","priority":100,"gpu_count":2,"gpu_memory_mb":40960,
                 "submitted_at":"2025-03-01T11:00:00Z","started_at":null,"image":"x",
                 "max_runtime_minutes":90}
                """);

        assertThat(Shell.at(stand).run("get", "job-7").out())
                .isEqualTo(
                        """
                        Job ID:          job-7
                        Name:            train
                        State:           pending
                        Tenant:          a
                        Priority:        100
                        GPUs:            2
                        GPU memory:      40GiB
                        Position:        3
                        Estimated wait:  12m30s (1m to 1h)
                        Submitted:       2025-03-01T11:00:00Z
                        Time limit:      1h30m
                        """);
        assertThat(Shell.at(stand).run("get", "job-7", "-o", "wide").out()).contains("Image:  ");
        assertThat(Shell.at(stand).run("get", "job-7", "-o", "name").out()).isEqualTo("job-7\n");
        assertThat(Shell.at(stand).run("get", "job-7", "-o", "json").out())
                .contains("\"estimated_wait\": 750");
    }

    @Test
    void aReplicaIsShownWithItsPool() {
        stand.says(
                "GET /api/v1/jobs/job-7", "{\"job_id\":\"job-7\",\"pool\":\"chat\",\"replica\":0}");

        assertThat(Shell.at(stand).run("show", "job-7").out())
                .isEqualTo(
                        """
                        Job ID:          job-7
                        Pool:            chat, replica 0
                        """);
    }

    @Test
    void anAlmostEmptyAnswerIsShownWithoutComplaint() {
        stand.says("GET /api/v1/jobs/job-7", "{}");

        var outcome = Shell.at(stand).run("get", "job-7");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).isEmpty();
    }

    @Test
    void anIdWithStrangeCharactersStaysOneId() {
        Shell.at(stand).run("get", "../a b?c/ä");

        assertThat(stand.onlyAsked().line()).isEqualTo("GET /api/v1/jobs/..%2Fa%20b%3Fc%2F%C3%A4");
    }

    @Test
    void severalJobsAreCancelledEvenIfOneIsRefused() {
        stand.says("DELETE /api/v1/jobs/job-1", "{\"message\":\"ok\"}")
                .says(
                        "DELETE /api/v1/jobs/job-2",
                        409,
                        """
                        {"error":"job-2 has completed","code":"wrong_state","field":"state",
                         "hint":"only jobs that have not ended can be cancelled"}
                        """)
                .says("DELETE /api/v1/jobs/job-3", "{\"message\":\"ok\"}")
                .says("GET /api/v1/jobs/job-1", "{\"state\":\"cancelled\"}")
                .says("GET /api/v1/jobs/job-3", "{\"state\":\"cancelled\"}");

        var outcome = Shell.at(stand).run("cancel", "job-1", "job-2", "job-3");

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out()).isEqualTo("job-1: cancelled\njob-3: cancelled\n");
        assertThat(outcome.err())
                .isEqualTo(
                        """
                        gpu-cli: job-2: refused: job-2 has completed (HTTP 409)
                          field: state
                          hint:  only jobs that have not ended can be cancelled
                        """);
    }

    @Test
    void holdingAndReleasingArePosted() {
        stand.says("POST /api/v1/jobs/j/hold", "{}").says("POST /api/v1/jobs/j/release", "");

        assertThat(Shell.at(stand).run("hold", "j").out())
                .isEqualTo("j: held; release it with gpu-cli release j\n");
        assertThat(Shell.at(stand).run("release", "j").out()).isEqualTo("j: released\n");
        assertThat(stand.lines())
                .containsExactly("POST /api/v1/jobs/j/hold", "POST /api/v1/jobs/j/release");
    }

    @Test
    void anOverdueStartIsShownAsAnyMoment() {
        String start =
                """
                "estimated_start":{"p10":"2025-03-01T11:00:00Z","p50":"2025-03-01T11:00:00Z",
                 "p90":"2025-03-01T11:20:00.5Z","due":true}
                """;
        stand.says(
                        "GET /api/v1/jobs/j",
                        "{\"job_id\":\"j\",\"state\":\"pending\",\"estimated_wait\":0,"
                                + "\"estimated_wait_range\":{\"p10\":0,\"p50\":0,\"p90\":1200},"
                                + start
                                + "}")
                .says(
                        "GET /api/v1/jobs",
                        "{\"jobs\":[{\"job_id\":\"j\"," + start + "}],\"total\":1}")
                .says(
                        "GET /api/v1/jobs/j/explain",
                        "{\"job_id\":\"j\",\"state\":\"pending\"," + start + "}");

        assertThat(Shell.at(stand).run("get", "j").out())
                .contains("Estimated wait:  any moment, up to 20m\n");
        assertThat(Shell.at(stand).run("list", "-o", "wide").out()).contains("any moment");
        assertThat(Shell.at(stand).run("explain", "j").out())
                .contains("Starts:          any moment, likely before 2025-03-01T11:20:00Z\n");
    }

    @Test
    void anExplanationShowsTheExpectedStart() {
        stand.says(
                "GET /api/v1/jobs/j/explain",
                """
                {"job_id":"j","state":"pending","estimated_start":{"p10":"2025-03-01T11:00:00Z",
                 "p50":"2025-03-01T11:10:00.1Z","p90":"2025-03-01T12:00:00Z","due":false}}
                """);
        assertThat(Shell.at(stand).run("explain", "j").out())
                .contains(
                        "Starts:          2025-03-01T11:10:00Z"
                                + " (2025-03-01T11:00:00Z to 2025-03-01T12:00:00Z)");
    }

    @Test
    void aPriorityIsPatched() {
        stand.says("PATCH /api/v1/jobs/j", "{\"job_id\":\"j\",\"priority\":2000}");

        var outcome = Shell.at(stand).with("GPU_SCHEDULER_TOKEN", "t").run("priority", "j", "2000");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).isEqualTo("j: priority 2000\n");
        assertThat(stand.onlyAsked().body()).isEqualTo("{\"priority\":2000}");
        assertThat(stand.onlyAsked().headers()).containsEntry("authorization", "Bearer t");
        assertThat(Shell.at(stand).run("priority", "j", "high").code()).isEqualTo(2);
        assertThat(Shell.at(stand).run("priority", "k", "-3").err()).contains("HTTP 404");
    }

    @Test
    void anExplanationShowsRefusalsAndTheirRetryConditions() {
        stand.says(
                "GET /api/v1/jobs/j/explain",
                """
                {"job_id":"j","state":"pending","summary":"no node has 8 free GPUs","position":1,
                 "reasons":[{"by":"too-few-gpus","why":"3 free","nodes":7,
                             "lifted_by":["a job ends on n1","a node joins"]},
                            {"by":"wrong-model","why":"has T4","nodes":["n8"],"lifted_by":[]}],
                 "score_terms":[{"name":"cost","weight":15,"value":0.1,"contribution":0.015}]}
                """);

        assertThat(Shell.at(stand).run("explain", "j").out())
                .isEqualTo(
                        """
                        Job ID:          j
                        State:           pending
                        Summary:         no node has 8 free GPUs
                        Position:        1

                        Refused by
                        BY            NODES  WHY     LIFTED BY
                        too-few-gpus  7      3 free  a job ends on n1,a node joins
                        wrong-model   n8     has T4  -

                        Decided by
                        TERM  WEIGHT  COST  PART
                        cost  15      0.1   0.015
                        """);
    }

    @Test
    void anExplanationShowsPlaceReservationAndTheLastFailure() {
        stand.says(
                "GET /api/v1/jobs/j/explain",
                """
                {"job_id":"j","state":"running","summary":"runs","node_name":"n1",
                 "allocated_gpus":["n1:0","n1:1"],"reserved_from":"2025-03-01T11:00:00.5Z",
                 "last_failure":"no such directory","preempted":3,
                 "preempted_jobs":["job-3","job-5"]}
                """);

        assertThat(Shell.at(stand).run("explain", "j").out())
                .isEqualTo(
                        """
                        Job ID:          j
                        State:           running
                        Summary:         runs
                        Preempted jobs:  3 jobs: job-3,job-5
                        Last run:        no such directory
                        Node:            n1
                        Devices:         n1:0,n1:1
                        Reserved:        capacity is reserved for it from 2025-03-01T11:00:00Z at the latest
                        """);
    }

    @Test
    void anExplanationDoesNotRepeatTheSummaryAsTheReason() {
        stand.says(
                "GET /api/v1/jobs/j/explain",
                """
                {"job_id":"j","state":"held","summary":"held by alice","reason":"held by alice"}
                """);

        assertThat(Shell.at(stand).run("explain", "j").out())
                .isEqualTo(
                        """
                        Job ID:          j
                        State:           held
                        Summary:         held by alice
                        """);
    }

    @Test
    void anExplanationLeadsWithTheReasonAndNamesOneStart() {
        stand.says(
                "GET /api/v1/jobs/j/explain",
                """
                {"job_id":"j","state":"pending","summary":"waits for 4 GPUs",
                 "reason":"no free place; a place is reserved for it",
                 "reserved_from":"2025-03-02T11:00:00.5Z",
                 "reserved_if":"jobs without a time limit end within 24 h",
                 "estimated_start":{"p10":"2025-03-01T12:00:00Z","p50":"2025-03-01T12:30:00Z",
                                    "p90":"2025-03-01T14:00:00Z","due":false}}
                """);

        assertThat(Shell.at(stand).run("explain", "j").out())
                .isEqualTo(
                        """
                        Job ID:          j
                        State:           pending
                        Reason:          no free place; a place is reserved for it
                        Summary:         waits for 4 GPUs
                        Starts:          2025-03-01T12:30:00Z (2025-03-01T12:00:00Z to 2025-03-01T14:00:00Z)
                        Reserved:        capacity is reserved for it
                        """);
    }

    @Test
    void anExplanationShowsHoldersAndChangesThatWouldStartTheJob() {
        stand.says(
                "GET /api/v1/jobs/j/explain",
                """
                {"job_id":"j","state":"pending","summary":"waits","position":3,"ahead":2,
                 "reserved_from":"2025-03-01T11:00:00.5Z",
                 "reserved_if":"jobs end as predicted","place":null,
                 "reasons":[{"by":"free-gpus","why":"1 free","nodes":7,"lifted_by":["a"]}],
                 "holders":[{"job_id":"k","tenant_id":"t","priority":5,"gpus":6,
                             "expected_end":"2025-03-01T12:00:00Z","end_is_assumed":true,
                             "preemption_allowed":false},
                            {"job_id":null,"tenant_id":null,"priority":9,"gpus":2,
                             "expected_end":"2025-03-01T13:00:00Z","end_is_assumed":false,
                             "preemption_allowed":true}],
                 "changes":[{"field":"gpu_count","from":"8","to":"7",
                             "change":"7 GPUs instead of 8","place":"n1[0-6]"}],
                 "score_terms":[]}
                """);

        assertThat(Shell.at(stand).run("explain", "j").out())
                .isEqualTo(
                        """
                        Job ID:          j
                        State:           pending
                        Summary:         waits
                        Position:        3 (2 ahead)
                        Reserved:        capacity is reserved for it from 2025-03-01T11:00:00Z at the latest, if jobs end as predicted

                        Refused by
                        BY         NODES  WHY     LIFTED BY
                        free-gpus  7      1 free  a

                        Held by
                        JOB      TENANT  PRIORITY  GPUs  EXPECTED END                     PREEMPTION
                        k        t       5         6     2025-03-01T12:00:00Z (no limit)  not allowed by its tenant
                        (other)  -       9         2     2025-03-01T13:00:00Z             allowed

                        Would start now with
                        CHANGE               PLACE
                        7 GPUs instead of 8  n1[0-6]
                        """);
    }

    @Test
    void aDryRunAsksWithoutSubmitting() {
        stand.says(
                "POST /api/v1/jobs",
                """
                {"dry_run":true,"verdict":"waits","summary":"waits for 4 GPUs","position":1,
                 "ahead":0,"place":null,"reasons":[{"by":"quota","why":"no","nodes":0,
                 "lifted_by":[]}],"holders":[],"changes":[],"warnings":[]}
                """);

        assertThat(Shell.at(stand).run("submit", "--gpus", "4", "--dry-run").out())
                .isEqualTo(
                        """
                        Verdict:   would wait
                        Summary:   waits for 4 GPUs
                        Position:  1 (0 ahead)

                        Refused by
                        BY     NODES  WHY  LIFTED BY
                        quota  0      no   -

                        No smaller request was found that would start now.
                        """);
        assertThat(stand.asked().getLast().query()).isEqualTo("dry_run=true");
    }

    @Test
    void aDryRunNamesTheJobsThatItWouldStop() {
        stand.says(
                "POST /api/v1/jobs",
                """
                {"verdict":"makes_room","summary":"s","place":"n1[0-3]","stops":3,
                 "stops_jobs":["job-3","job-5"]}
                """);

        assertThat(Shell.at(stand).run("submit", "--dry-run").out())
                .contains("would start after stopping 3 other jobs: job-3, job-5 and 1 more\n");
    }

    @Test
    void adviceOnMovesShowsThemWithTheirCost() {
        stand.says(
                "GET /api/v1/defrag",
                """
                {"job_id":"j","summary":"1 move would let it start","place":"n1[0-7]",
                 "lost_gpu_seconds":2400,"moves":[{"job_id":"k","tenant_id":"t",
                 "from":"n1[0-3]","to":"n2[4-7]","lost_gpu_seconds":2400}]}
                """);

        assertThat(Shell.at(stand).run("defrag", "j").out())
                .isEqualTo(
                        """
                        Job ID:     j
                        Summary:    1 move would let it start
                        Place:      n1[0-7]
                        Lost work:  40m of GPU time

                        Moves
                        JOB  TENANT  FROM     TO       LOST WORK
                        k    t       n1[0-3]  n2[4-7]  40m of GPU time
                        """);
        assertThat(stand.asked().getLast().query()).isEqualTo("job=j");
    }

    @Test
    void idleJobsAreShownWithWhatTheyWasteAndWhenTheyAreStopped() {
        stand.says(
                "GET /api/v1/idle",
                """
                {"threshold_percent":5,"after_seconds":1800,"reclaim":true,"idle_gpus":9,
                 "wasted_gpu_hours":20.04,"total":2,"jobs":[
                 {"job_id":"j","name":"notebook","tenant_id":"t","gpus":8,"idle_gpus":8,
                  "idle_seconds":9000,"utilization":0.4,"wasted_gpu_hours":20,"action":"stop",
                  "stops_at":"2026-01-01T10:00:00.5Z","node_name":"n1"},
                 {"job_id":"k","name":"train","tenant_id":"t","gpus":2,"idle_gpus":1,
                  "idle_seconds":144,"utilization":null,"wasted_gpu_hours":0.04,"action":"none",
                  "stops_at":null,"node_name":"n2"}]}
                """);

        assertThat(Shell.at(stand).run("idle").out())
                .isEqualTo(
                        """
                        JOB  NAME      TENANT  IDLE GPUs  IDLE FOR  USE  WASTED          STOPS                 NODE
                        j    notebook  t       8/8        2h30m     0%   20.0 GPU hours  2026-01-01T10:00:00Z  n1
                        k    train     t       1/2        2m24s     -    0.0 GPU hours   -                     n2
                        9 GPUs held and used less than 5 % for 30m, 20.0 GPU hours wasted
                        """);
    }

    @Test
    void eventsAreShownInOrder() {
        stand.says(
                "GET /api/v1/jobs/j/events",
                """
                {"events":[{"at":"2025-03-01T11:00:00.5Z","kind":"submitted","message":"by a"},
                           {"at":"2025-03-01T11:00:01Z","kind":"placed","message":"on n1"}]}
                """);

        assertThat(Shell.at(stand).run("events", "j").out())
                .isEqualTo(
                        """
                        AT                    KIND       MESSAGE
                        2025-03-01T11:00:00Z  submitted  by a
                        2025-03-01T11:00:01Z  placed     on n1
                        """);
    }
}
