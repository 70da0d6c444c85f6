package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.Shell;
import io.gpusched.cli.Stand;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// `gpu-cli pool`, `apply` and `models`.
final class PoolCommandTest {
    private static final String POOL =
            """
            {"name":"chat","tenant_id":"default","model":"llama-8b","min_replicas":1,
             "max_replicas":8,"slo":{"ttft_ms":500,"percent":99},"scaling":{"law":"slo"},
             "status":{"phase":"scaling","desired":3,"ready":2,"starting":1,"waiting":0,
              "draining":0,"updated":1,"update":"1 of 3 replicas are updated","rule":"slo","reason":"5.2 requests/s need 3","cost_per_hour":7.5,
              "decided_at":"2026-01-01T10:00:00.25Z","stale":false,"ttft_p95_ms":312.25,
              "slo_percent":99.31,"arrivals_per_second":5.2,"tokens_per_second":812.04,
              "replicas":[{"job_id":"job-7","number":0,"state":"ready","node_id":"n1",
               "address":"10.0.0.1:9000","ready_since":"2026-01-01T09:00:00Z","running":3,
               "waiting":0,"kv":0.41,"ttft_ms":120,"itl_ms":30,"spot":false}]}}
            """;

    private final Stand stand = new Stand();

    @TempDir Path folder;

    @AfterEach
    void close() {
        stand.close();
    }

    @Test
    void poolsAreListedWithTheirSizeAndReason() {
        stand.says("GET /api/v1/pools", "{\"pools\":[" + POOL + "],\"total\":1}");
        assertThat(Shell.at(stand).run("pool").out())
                .isEqualTo(
                        """
                        POOL  PHASE    READY  SIZE  TTFT P95  SLO     COST/H  REASON
                        chat  scaling  2/3    1..8  312.2 ms  99.3 %  $7.50   5.2 requests/s need 3
                        """);
        assertThat(Shell.at(stand).run("pools", "list", "-o", "name").out()).isEqualTo("chat\n");
    }

    @Test
    void aPoolIsShownWithItsReplicas() {
        stand.says("GET /api/v1/pools/chat", POOL);
        assertThat(Shell.at(stand).run("pool", "show", "chat").out())
                .contains("Replicas:    2 ready of 3, 1 starting\n")
                .contains("Updated:     1 of 3\n")
                .contains("Update:      1 of 3 replicas are updated\n")
                .contains("SLO:         first token in 500 ms for 99 %\n")
                .contains("Cost:        $7.50 per hour\n")
                .contains("0        job-7  ready  n1    10.0.0.1:9000  3        0        41 %");
    }

    @Test
    void aPoolIsHeldAndReleased() {
        stand.says("POST /api/v1/pools/chat/scale", POOL);
        assertThat(
                        Shell.at(stand)
                                .run("pool", "scale", "chat", "--replicas", "6", "--reason", "x")
                                .out())
                .isEqualTo(
                        "Pool chat: held at 6 replicas; end it with gpu-cli pool scale chat"
                                + " --auto\n");
        assertThat(stand.asked().getLast().body()).isEqualTo("{\"replicas\":6,\"reason\":\"x\"}");
        Shell.at(stand).run("pool", "scale", "chat", "--auto");
        assertThat(stand.asked().getLast().body()).isEqualTo("{\"replicas\":null}");
    }

    @Test
    void aPoolIsPutReportedOnAndDeleted() {
        stand.says("PUT /api/v1/pools/chat", "{\"action\":\"created\",\"warnings\":[\"w\"]}");
        stand.says("POST /api/v1/pools/chat/load", 202, "{\"message\":\"accepted\"}");
        stand.says("DELETE /api/v1/pools/chat", 202, "{\"message\":\"stops\"}");
        var put = Shell.at(stand).typing("{\"name\":\"chat\"}").run("pool", "put", "-f", "-");
        assertThat(put.out()).isEqualTo("Pool chat: created\n");
        assertThat(put.err()).isEqualTo("warning: w\n");
        var load =
                Shell.at(stand)
                        .typing("{\"source\":\"me\"}")
                        .run("pool", "load", "chat", "-f", "-");
        assertThat(load.out()).isEqualTo("Pool chat: load reported\n");
        assertThat(Shell.at(stand).run("pool", "delete", "chat").out())
                .isEqualTo("Pool chat: its replicas are stopped, then it is removed\n");
    }

    @Test
    void anExplanationHasStepsWaitingReplicasAndChanges() {
        stand.says(
                "GET /api/v1/pools/chat/explain",
                """
                {"pool":"chat","desired":3,"rule":"slo","reason":"because",
                 "steps":["the law recommends 5","at most 3"],"why_not_more":"max_replicas is 3",
                 "capacity":"0 of 1 missing replica can be placed now",
                 "waiting":[{"job_id":"job-9","summary":"no free GPU"}],
                 "recent":[{"at":"2026-01-01T10:00:00Z","from":1,"to":3,"rule":"slo","reason":"r"}]}
                """);
        assertThat(Shell.at(stand).run("pool", "explain", "chat").out())
                .isEqualTo(
                        """
                        Pool:          chat
                        Size:          3
                        Rule:          slo
                        Reason:        because
                        Why not more:  max_replicas is 3
                        Capacity:      0 of 1 missing replica can be placed now

                        Steps
                        NO  STEP
                        1   the law recommends 5
                        2   at most 3

                        Waiting replicas
                        JOB    WHY IT WAITS
                        job-9  no free GPU

                        Recent changes
                        AT                    FROM  TO  RULE  REASON
                        2026-01-01T10:00:00Z  1     3   slo   r
                        """);
    }

    @Test
    void aHistoryIsATableOfSteps() {
        stand.says(
                "GET /api/v1/pools/chat/history",
                """
                {"step_seconds":60,"times":[1767261600],"series":{"replicas":[3],"ready":[2.5],
                 "arrivals":[5.2],"ttft_p95_ms":[null],"slo_percent":[99.31],
                 "tokens_per_second":[812],"cost_per_hour":[7.5]}}
                """);
        assertThat(Shell.at(stand).run("pool", "history", "chat", "--since", "2h").out())
                .isEqualTo(
                        """
                        AT                    REPLICAS  READY  ARRIVALS/S  TTFT P95  SLO     TOKENS/S  COST/H
                        2026-01-01T10:00:00Z  3         2.5    5.2         -         99.3 %  812       $7.50
                        """);
        assertThat(stand.onlyAsked().query()).isEqualTo("from=2025-03-01T10%3A10%3A00Z&points=20");
    }

    @Test
    void manifestsAreSentAsTheyAre() throws IOException {
        stand.says(
                "POST /api/v1/apply",
                """
                {"applied":[{"kind":"AgentPool","name":"chat","action":"created"},
                 {"kind":"Model","name":"llama","action":"unchanged"}],"warnings":["careful"]}
                """);
        Path file = folder.resolve("chat.yaml");
        Files.writeString(file, "kind: AgentPool # as it is\n");
        var result = Shell.at(stand).run("apply", "-f", file.toString(), "--dry-run");
        assertThat(result.out())
                .isEqualTo(
                        """
                        KIND       NAME   ACTION
                        AgentPool  chat   would be created
                        Model      llama  unchanged
                        """);
        assertThat(result.err()).isEqualTo("warning: careful\n");
        assertThat(stand.onlyAsked().body()).isEqualTo("kind: AgentPool # as it is\n");
        assertThat(stand.onlyAsked().query()).isEqualTo("dry_run=true&name=chat");
        assertThat(stand.onlyAsked().headers()).containsEntry("content-type", "application/yaml");
    }

    @Test
    void aPartOfAManifestIsNamedByOptionOrFile() throws IOException {
        stand.says("POST /api/v1/apply", "{\"applied\":[],\"warnings\":[]}");
        Path file = folder.resolve("My pool (v2).part.yaml");
        Files.writeString(file, "prewarmPercent: 5\n");
        Shell.at(stand).run("apply", "-f", file.toString());
        Shell.at(stand).run("apply", "-f", file.toString(), "--name", "chat");
        Shell.at(stand).typing("prewarmPercent: 5\n").run("apply", "-f", "-");
        assertThat(stand.asked())
                .extracting(Stand.ReceivedRequest::query)
                .containsExactly("name=My-pool-v2-.part", "name=chat", "");
    }

    @Test
    void modelsAreListedPutAndDeleted() {
        stand.says(
                "GET /api/v1/models",
                """
                {"models":[{"name":"llama","uri":"s3://m","size_bytes":17179869184,
                 "load_seconds":45,"cache_priority":"high","eviction":"idle",
                 "status":{"nodes":[{"node_id":"n1","state":"cached"},
                 {"node_id":"n2","state":"loading"}]}}],"total":1}
                """);
        stand.says("PUT /api/v1/models/llama", "{\"action\":\"changed\"}");
        stand.says("DELETE /api/v1/models/llama", "{\"message\":\"gone\"}");
        assertThat(Shell.at(stand).run("models").out())
                .isEqualTo(
                        """
                        MODEL  SIZE   LOADS IN  PRIORITY  EVICTION  CACHED ON
                        llama  16GiB  45s       high      idle      n1, n2 (loading)
                        """);
        assertThat(Shell.at(stand).typing("{}").run("models", "put", "llama", "-f", "-").out())
                .isEqualTo("Model llama: changed\n");
        assertThat(Shell.at(stand).run("models", "delete", "llama").out())
                .isEqualTo("Model llama: removed\n");
    }

    @Test
    void classesAreListedAndDeleted() {
        stand.says(
                "GET /api/v1/classes",
                """
                {"classes":[{"name":"assistant","tenant_id":"default","model":"llama",
                 "slo":{"ttft_ms":500,"percent":99},"profile":{},"pools":["chat","code"]}],"total":1}
                """);
        stand.says("DELETE /api/v1/classes/assistant", "{\"message\":\"gone\"}");
        assertThat(Shell.at(stand).run("classes").out())
                .isEqualTo(
                        """
                        CLASS      MODEL  TTFT    TOKENS/S  POOLS
                        assistant  llama  500 ms  -         chat, code
                        """);
        assertThat(Shell.at(stand).run("classes", "delete", "assistant", "--force").out())
                .isEqualTo("Class assistant: removed\n");
        assertThat(stand.asked().getLast().query()).isEqualTo("force=true");
        assertThat(Shell.at(stand).run("classes", "grow").err()).contains("expected one of list");
        assertThat(Shell.at(stand).run("classes", "show").err()).contains("missing CLASS");
        assertThat(Shell.at(stand).run("classes", "list", "--force").err())
                .contains("--force belongs to delete");
    }

    @Test
    void wrongUseIsToldWhatIsExpected() {
        assertThat(Shell.at(stand).run("pool", "grow").err())
                .contains("expected one of list, show");
        assertThat(Shell.at(stand).run("pool", "show").err()).contains("missing POOL");
        assertThat(Shell.at(stand).run("pool", "scale", "chat").err())
                .contains("expected one of --replicas N and --auto");
        assertThat(Shell.at(stand).run("pool", "list", "--replicas", "3").err())
                .contains("--replicas belongs to scale");
        assertThat(Shell.at(stand).run("pool", "put", "chat").err()).contains("missing --file");
        assertThat(Shell.at(stand).run("pool", "list", "chat").err())
                .contains("list takes no POOL; for one pool: gpu-cli pool show chat");
        assertThat(Shell.at(stand).run("create-token", "--agents", "--gateways").err())
                .contains("expected --agents or --gateways, found both");
        assertThat(Shell.at(stand).run("apply").err()).contains("--file");
        assertThat(Shell.at(stand).typing("").run("apply", "-f", "-").err()).contains("empty");
        assertThat(Shell.at(stand).run("models", "grow").err()).contains("expected one of list");
    }

    @Test
    void lawsInTheShadowStandBesideWhatWasRecorded() {
        stand.says(
                "GET /api/v1/pools/chat/shadow",
                """
                {"pool":"chat","from":"2026-01-01T10:00:00Z","to":"2026-01-01T16:00:00Z",
                 "requests":7739,
                 "recorded":{"law":"slo","attained_percent":99.387,"gpu_hours":5.449,"added":8,
                  "removed":6,"cost_dollars":13.62},
                 "replayed":{"law":"slo, replayed","attained_percent":94.72,"gpu_hours":5.29,
                  "added":8,"removed":6,"ttft_p50_seconds":0.15,"ttft_p95_seconds":0.46,
                  "ttft_p99_seconds":0.89,"cost_dollars":13.24},
                 "laws":[{"law":"hpa-20","attained_percent":93.41,"gpu_hours":6.18,"added":10,
                  "removed":5,"ttft_p50_seconds":0.15,"ttft_p95_seconds":0.5,
                  "ttft_p99_seconds":null,"cost_dollars":null}],
                 "check":{"trusted":false,"reasons":["it attains 4.7 points less"],
                  "notes":["held"]}}
                """);
        assertThat(
                        Shell.at(stand)
                                .run("pool", "shadow", "chat", "--law", "hpa-20", "--hours", "6")
                                .out())
                .isEqualTo(
                        """
                        LAW            ATTAINED  GPU HOURS  ADDED  REMOVED  TTFT P50  P95    P99    COST $
                        recorded       99.39 %   5.45       8      6        -         -      -      13.62
                        slo, replayed  94.72 %   5.29       8      6        0.15s     0.46s  0.89s  13.24
                        hpa-20         93.41 %   6.18       10     5        0.15s     0.50s  -      -
                        2026-01-01T10:00:00Z to 2026-01-01T16:00:00Z, 7739 requests
                        this comparison cannot be trusted:
                        - it attains 4.7 points less
                        note: held
                        """);
        assertThat(Shell.at(stand).run("pool", "shadow", "chat").err()).contains("missing --law");
        assertThat(Shell.at(stand).run("pool", "show", "chat", "--law", "slo").err())
                .contains("--law belongs to shadow");
    }
}
