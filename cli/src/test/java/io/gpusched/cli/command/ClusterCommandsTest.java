package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.Shell;
import io.gpusched.cli.Stand;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ClusterCommandsTest {
    private static final String NODE =
            """
            {"id":"n1","name":"n1","hostname":"gpu01","agent":"a1","state":"ready",
             "gpu_model":"A100-80GB","total_gpus":8,"available_gpus":5,"total_cpu_cores":64,
             "available_cpu_cores":60,"total_memory_mb":524288,"available_memory_mb":500000,
             "labels":{"zone":"a"},"taints":[{"key":"k","effect":"NoSchedule"}],
             "gpus":[{"index":0,"model":"A100-80GB","memory_total_mb":81920,"allocated":true,
                      "job_id":"job-7","health":"healthy","temperature":61,"utilization":97}]}
            """;

    private final Stand stand = new Stand();

    @AfterEach
    void close() {
        stand.close();
    }

    @Test
    void aNodeThatIsDrainedStaysSoWhenItIsCordoned() {
        stand.says("POST /api/v1/nodes/n1/cordon", "{\"id\":\"n1\",\"state\":\"draining\"}");

        assertThat(Shell.at(stand).run("cordon", "n1").out())
                .isEqualTo("n1: stays draining; it already takes no new jobs\n");
    }

    @Test
    void theClusterFitsInThreeLines() {
        stand.says(
                "GET /api/v1/cluster/status",
                """
                {"total_gpus":64,"available_gpus":16,"used_gpus":32,"total_nodes":8,"online_nodes":7,
                 "total_jobs":120,"pending_jobs":14,"running_jobs":48}
                """);

        assertThat(Shell.at(stand).run("status").out())
                .isEqualTo(
                        """
                        GPUs:   64 total, 16 available, 50% in use
                        Nodes:  8 total, 7 online
                        Jobs:   120 total, 14 pending, 48 running
                        """);
    }

    @Test
    void aStatusHasNoNames() {
        var outcome = Shell.at(stand).run("status", "-o", "name");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).contains("choose table, json or yaml");
        assertThat(stand.asked()).isEmpty();
    }

    @Test
    void aNodeWithoutAgentIsMarked() {
        stand.says(
                "GET /api/v1/nodes",
                """
                {"nodes":[
                 {"id":"a","state":"ready","agent_connected":true,"agent_silent_seconds":4,
                  "agent_last_seen":"2025-03-01T11:00:00Z"},
                 {"id":"b","state":"ready","agent_connected":false,"agent_silent_seconds":12,
                  "agent_last_seen":"2025-03-01T11:00:00Z"},
                 {"id":"c","state":"unreachable","agent_connected":false,
                  "agent_silent_seconds":90,"agent_last_seen":"2025-03-01T11:00:00Z"},
                 {"id":"d","state":"cordoned","agent_connected":false,"agent_silent_seconds":3,
                  "agent_last_seen":null},
                 {"id":"e","state":"lost","agent_connected":false,"agent_silent_seconds":null,
                  "agent_last_seen":null}],"total":5}
                """);

        assertThat(Shell.at(stand).run("nodes").out())
                .containsPattern("a +ready  ")
                .contains("ready (agent gone 12s)")
                .contains("unreachable (agent gone 1m30s)")
                .contains("cordoned (agent not connected)")
                .containsPattern("e +lost  ");
    }

    @Test
    void nodesAreListedWithWhatIsFree() {
        stand.says(
                "GET /api/v1/nodes",
                "{\"nodes\":[%s,{\"id\":\"n2\",\"online\":true,\"draining_mode\":true}],\"total\":2}"
                        .formatted(NODE));

        assertThat(Shell.at(stand).run("nodes").out())
                .isEqualTo(
                        """
                        NODE  STATE     MODEL      GPUs FREE  CPUs FREE  MEMORY FREE
                        n1    ready     A100-80GB  5/8        60/64      488.3GiB/512GiB
                        n2    draining  -          -          -          -
                        """);
        assertThat(Shell.at(stand).run("nodes", "-o", "name").out()).isEqualTo("n1\nn2\n");
    }

    @Test
    void oneNodeIsShownWithItsGpus() {
        stand.says("GET /api/v1/nodes/n1", NODE);

        assertThat(Shell.at(stand).run("nodes", "n1", "-o", "wide").out())
                .isEqualTo(
                        """
                        NODE:         n1
                        STATE:        ready
                        MODEL:        A100-80GB
                        GPUs FREE:    5/8
                        CPUs FREE:    60/64
                        MEMORY FREE:  488.3GiB/512GiB
                        HOSTNAME:     gpu01
                        AGENT:        a1
                        LABELS:       zone=a
                        TAINTS:       key=k,effect=NoSchedule

                        GPUs
                        INDEX  MODEL      MEMORY  JOB    HEALTH   TEMPERATURE  UTILIZATION
                        0      A100-80GB  80GiB   job-7  healthy  61           97
                        """);
    }

    @Test
    void everyHolderOfAGpuIsShown() {
        stand.says(
                "GET /api/v1/nodes/n1",
                """
                {"id":"n1","gpus":[{"index":0,"job_id":"job-1","holders":[
                  {"job_id":"job-1","part":"1g.5gb@0"},{"job_id":null,"part":"1g.5gb@1"}]}]}
                """);

        assertThat(Shell.at(stand).run("nodes", "n1").out())
                .contains("job-1 1g.5gb@0, (other) 1g.5gb@1");
    }

    @Test
    void nodesSayThatTheSchedulerCordonedThem() {
        stand.says(
                "GET /api/v1/nodes",
                """
                {"nodes":[{"id":"n1","state":"cordoned","cordoned_by_scheduler":true,
                 "closed_by":"scheduler","closed_reason":"it refused to start 3 jobs"}],"total":1}
                """);

        assertThat(Shell.at(stand).run("nodes").out()).contains("cordoned (by scheduler)");
        assertThat(Shell.at(stand).run("nodes", "-o", "wide").out())
                .contains("it refused to start 3 jobs");
    }

    @Test
    void nodesAreClosedDrainedAndOpened() {
        stand.says("POST /api/v1/nodes/n1/cordon", "{}")
                .says("POST /api/v1/nodes/n1/drain", "{}")
                .says("POST /api/v1/nodes/n1/uncordon", "{}");

        assertThat(Shell.at(stand).run("cordon", "n1").out()).isEqualTo("n1: cordoned\n");
        assertThat(Shell.at(stand).run("drain", "n1").out())
                .isEqualTo("n1: draining; watch it with gpu-cli nodes n1\n");
        assertThat(Shell.at(stand).run("uncordon", "n1").out())
                .isEqualTo("n1: schedulable again\n");
        assertThat(stand.lines())
                .containsExactly(
                        "POST /api/v1/nodes/n1/cordon",
                        "POST /api/v1/nodes/n1/drain",
                        "POST /api/v1/nodes/n1/uncordon");
    }

    @Test
    void aTenantIsCreatedWithTheQuotasGivenAndNoOthers() {
        stand.says("POST /api/v1/tenants", 201, "{\"id\":\"tenant-1\",\"name\":\"research\"}");

        var outcome = Shell.at(stand).run("create-tenant", "--name", "research", "--max-gpus", "0");

        assertThat(outcome.out())
                .isEqualTo(
                        """
                        Tenant created successfully!
                        Tenant ID: tenant-1
                        Name: research
                        """);
        assertThat(stand.onlyAsked().body()).isEqualTo("{\"name\":\"research\",\"max_gpus\":0}");
    }

    @Test
    void fairShareShowsTheShareOfEachTenant() {
        stand.says(
                "GET /api/v1/fairshare",
                """
                {"policy":"fair","by_tenant":true,"tenants":[
                 {"tenant_id":"top","parent_id":null,"depth":0,"weight":1,"adjusted_weight":1.5,
                  "guaranteed_gpus":4.0,"max_gpus":null,"current_gpus":6.0,"current_share":0.75,
                  "recent_share":0.4567,"target_share":0.5,"effective_share":0.6,
                  "borrowed_gpus":2.0,"status":"borrowing","turn":null,"why":"2 more"},
                 {"tenant_id":"team","parent_id":"top","depth":1,"weight":1,"adjusted_weight":1,
                  "guaranteed_gpus":0,"max_gpus":8,"current_gpus":6.0,"current_share":0.75,
                  "recent_share":0,"target_share":0.5,"effective_share":0.6,"borrowed_gpus":6,
                  "status":"over","turn":1,"why":"more"}]}
                """);

        assertThat(Shell.at(stand).run("fairshare").out())
                .isEqualTo(
                        """
                        TENANT  WEIGHT  DUE  NOW  LATELY  GPUs  GUARANTEED  BORROWED  STATUS     TURN  WHY
                        top     1.5     60%  75%  45.7%   6     4           2         borrowing  -     2 more
                          team  1       60%  75%  0%      6     0           6         over       1     more
                        """);
        assertThat(Shell.at(stand).run("fairshare", "-o", "name").out()).isEqualTo("top\nteam\n");
        assertThat(Shell.at(stand).run("sshare", "-o", "wide").out()).contains("PARENT", "GIVEN");
    }

    @Test
    void fairShareNotesAPolicyThatIgnoresIt() {
        stand.says(
                "GET /api/v1/fairshare",
                "{\"policy\":\"priority\",\"by_tenant\":false,\"tenants\":[]}");

        assertThat(Shell.at(stand).run("fairshare").err())
                .contains("note: under policy priority the scheduler ignores these shares");
    }

    @Test
    void aParentIsTakenAwayAndAWeightIsANumber() {
        stand.says("PATCH /api/v1/tenants/t", "{}");

        Shell.at(stand).run("update-tenant", "t", "--no-parent", "--weight", "0.5");
        assertThat(stand.onlyAsked().body())
                .isEqualTo("{\"fair_share_weight\":0.5,\"parent_id\":null}");
        assertThat(Shell.at(stand).run("update-tenant", "t", "--weight", "NaN").err())
                .contains("--weight: expected a number such as 2 or 0.5, found 'NaN'");
    }

    @Test
    void everyQuotaHasItsName() {
        stand.says("POST /api/v1/tenants", 201, "{\"id\":\"tenant-1\"}");

        Shell.at(stand)
                .run(
                        ("create-tenant --name n --max-gpus 8 --max-gpu-memory 1Ti --max-cpus 64"
                                        + " --max-memory 512Gi --max-jobs 20 --priority high"
                                        + " --email a@b --organization o --allow-preemption"
                                        + " --no-preempting --guaranteed-gpus 4 --weight 2.5"
                                        + " --parent top --id t1")
                                .split(" "));

        assertThat(stand.onlyAsked().body())
                .isEqualTo(
                        "{\"name\":\"n\",\"id\":\"t1\",\"max_gpus\":8,\"max_gpu_memory_mb\":1048576,"
                            + "\"max_cpu_cores\":64,\"max_memory_mb\":524288,"
                            + "\"max_concurrent_jobs\":20,\"guaranteed_gpus\":4,"
                            + "\"fair_share_weight\":2.5,\"parent_id\":\"top\","
                            + "\"priority_tier\":\"high\",\"email\":\"a@b\",\"organization\":\"o\","
                            + "\"allow_preemption\":true,\"can_preempt_others\":false}");
    }

    @Test
    void aTenantNeedsAName() {
        var outcome = Shell.at(stand).run("create-tenant", "--max-gpus", "8");

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.err()).startsWith("gpu-cli: missing option --name NAME\n");
    }

    @Test
    void tenantsAreListedWithWhatTheyUse() {
        stand.says(
                "GET /api/v1/tenants",
                """
                {"tenants":[{"id":"a","name":"A","priority_tier":"high","current_gpus":3,
                             "max_gpus":8,"current_jobs":2}],"total":1}
                """);

        assertThat(Shell.at(stand).run("tenants").out())
                .isEqualTo(
                        """
                        TENANT ID  NAME  TIER  GPUs  JOBS
                        a          A     high  3/8   2/unlimited
                        """);
    }

    @Test
    void oneTenantIsShown() {
        stand.says(
                "GET /api/v1/tenants/a",
                """
                {"id":"a","name":"A","max_gpus":8,"guaranteed_gpus":4,"fair_share_weight":2,
                 "parent_id":"top"}
                """);

        assertThat(Shell.at(stand).run("tenants", "a").out())
                .isEqualTo(
                        """
                        TENANT ID:   a
                        NAME:        A
                        GPUs:        0/8
                        GUARANTEED:  4
                        WEIGHT:      2
                        PARENT:      top
                        """);
    }

    @Test
    void tokensAreMadeAndRevoked() {
        stand.says(
                        "POST /api/v1/tenants/a/tokens",
                        201,
                        "{\"token_id\":\"tok-1\",\"token\":\"secret\"}")
                .says("DELETE /api/v1/tenants/a/tokens/tok-1", "");

        assertThat(Shell.at(stand).run("create-token", "a").out())
                .isEqualTo(
                        """
                        Token ID: tok-1
                        Token:    secret
                        Save the token now: it cannot be shown again. Revoke it with gpu-cli revoke-token a tok-1
                        """);
        assertThat(Shell.at(stand).run("revoke-token", "a", "tok-1").out())
                .isEqualTo("tok-1: revoked\n");
    }

    @Test
    void agentsHaveTokensOfTheirOwn() {
        stand.says("POST /api/v1/agents/tokens", 201, "{\"token_id\":\"k\",\"token\":\"s\"}")
                .says(
                        "GET /api/v1/agents/tokens",
                        """
                        {"tokens":[{"token_id":"k","created_at":"2025-03-01T11:00:00Z"}],"total":1}
                        """)
                .says("DELETE /api/v1/agents/tokens/k", "{}");

        assertThat(Shell.at(stand).run("create-token", "--agents").out())
                .contains("gpu-cli revoke-token --agents k");
        assertThat(Shell.at(stand).run("tokens", "--agents").out())
                .isEqualTo("TOKEN ID  CREATED\nk         2025-03-01T11:00:00Z\n");
        assertThat(Shell.at(stand).run("revoke-token", "--agents", "k").out())
                .isEqualTo("k: revoked\n");
    }

    @Test
    void allTokensOfATenantAreRevokedOnlyWithAll() {
        stand.says("DELETE /api/v1/tenants/a/tokens", "{}");

        assertThat(Shell.at(stand).run("revoke-token", "a", "--all").out())
                .isEqualTo("a: all revoked\n");
        assertThat(Shell.at(stand).run("revoke-token", "a").err())
                .startsWith("gpu-cli: missing TOKEN_ID, or --all\n");
        assertThat(Shell.at(stand).run("revoke-token", "--all").code()).isEqualTo(2);
        assertThat(Shell.at(stand).run("revoke-token", "a", "t", "--all").code()).isEqualTo(2);
        assertThat(Shell.at(stand).run("tokens").code()).isEqualTo(2);
        assertThat(stand.asked()).hasSize(1);
    }

    @Test
    void nodesThatAreAwayAreCounted() {
        stand.says(
                "GET /api/v1/cluster/status",
                """
                {"total_gpus":8,"available_gpus":8,"total_nodes":3,"online_nodes":1,
                 "unreachable_nodes":1,"lost_nodes":1,"cordoned_nodes":0}
                """);

        assertThat(Shell.at(stand).run("status").out())
                .contains("3 total, 1 online, 1 unreachable, 1 lost\n");
    }

    @Test
    void aTenantIsChangedInPart() {
        stand.says("PATCH /api/v1/tenants/t", "{\"id\":\"t\",\"warnings\":[\"hm\"]}");

        var outcome =
                Shell.at(stand)
                        .run(
                                "update-tenant",
                                "t",
                                "--max-gpus",
                                "32",
                                "--unlimited",
                                "jobs",
                                "--no-preemption");

        assertThat(outcome.out()).isEqualTo("t: changed\n");
        assertThat(outcome.err()).isEqualTo("warning: hm\n");
        assertThat(stand.onlyAsked().body())
                .isEqualTo(
                        "{\"max_gpus\":32,\"allow_preemption\":false,"
                                + "\"max_concurrent_jobs\":null}");
        assertThat(Shell.at(stand).run("update-tenant", "t").code()).isEqualTo(2);
        assertThat(Shell.at(stand).run("update-tenant", "t", "--unlimited", "x").code())
                .isEqualTo(2);
    }

    @Test
    void tenantsAndNodesAreRemoved() {
        stand.says("DELETE /api/v1/tenants/t", "{}").says("DELETE /api/v1/nodes/n", "{}");

        assertThat(Shell.at(stand).run("delete-tenant", "t").out()).isEqualTo("t: removed\n");
        assertThat(Shell.at(stand).run("delete-node", "n").out()).isEqualTo("n: removed\n");
    }

    @Test
    void theTasksOfASilentClusterAreGivenUp() {
        stand.says("POST /api/v1/nodes/n/lost", "{}")
                .says("POST /api/v1/nodes/n/lost?agent=true", "{}");

        assertThat(Shell.at(stand).run("declare-lost", "n").out()).isEqualTo("n: declared lost\n");
        assertThat(Shell.at(stand).run("declare-lost", "n", "--agent").code()).isZero();
    }

    @Test
    void aTokenAloneIsGoodForScripts() {
        stand.says(
                "POST /api/v1/tenants/t/tokens", "{\"token_id\":\"tok-1\",\"token\":\"secret\"}");

        assertThat(Shell.at(stand).run("create-token", "t", "-o", "name").out())
                .isEqualTo("secret\n");
    }

    private static final String STARTS = "{\"same\":1,\"earlier\":2,\"later\":0}";

    private static String figures(int wait) {
        return """
        {"jain":0.8125,"all":{"jobs":3,"wait_mean_seconds":%d,"wait_p90_seconds":180,
         "completion_mean_seconds":300.5,"evictions":1,"gpu_hours":1.255,"cost_dollars":0,
         "energy_kwh":2.5,"served":0.5},
         "tenants":{"a":{"jobs":3,"wait_mean_seconds":%d,"wait_p90_seconds":180,
         "completion_mean_seconds":300.5,"evictions":1,"gpu_hours":1.255,"cost_dollars":0,
         "energy_kwh":2.5,"served":0.5}}}
        """
                .formatted(wait, wait);
    }

    @Test
    void aWhatIfIsWaitedForAndShown() {
        stand.says("POST /api/v1/what-if", "{\"id\":\"whatif-1\",\"state\":\"running\"}");
        stand.says(
                "GET /api/v1/what-if/whatif-1",
                """
                {"id":"whatif-1","state":"done","progress":1,"result":{"recorded":%s,"what_if":%s,
                 "starts":%s,"first_difference":{"batch":17}}}
                """
                        .formatted(figures(120), figures(60), STARTS));

        assertThat(Shell.at(stand).run("what-if", "--policy", "fair").out())
                .contains("TENANT  JOBS  WAIT")
                .contains("a       3     2m → 1m  3m → 3m")
                .contains("(all)")
                .contains("2 jobs earlier, 0 later, 1 at the same time; fairness 0.81 → 0.81")
                .contains("the first different decision is in batch 17");
        assertThat(Shell.at(stand).run("what-if", "--since", "2026-01-05").out())
                .as("without a policy, the rules in force are tried")
                .contains("the first different decision is in batch 17");
    }

    @Test
    void whatIfsAreListedWithTimesToTheSecond() {
        stand.says(
                "GET /api/v1/what-if",
                """
                {"what_ifs":[{"id":"whatif-1","state":"running","progress":0.5,"policy":"fair",
                 "placement":"","asked_at":"2026-01-05T12:00:00.123456789Z"}]}
                """);

        assertThat(Shell.at(stand).run("what-if", "--no-headers").out())
                .isEqualTo("whatif-1  running  50%  fair  -  2026-01-05T12:00:00Z  -\n");
    }

    @Test
    void theShadowIsComparedWithThePolicyInForce() {
        stand.says(
                "GET /api/v1/shadow",
                """
                {"enabled":true,"running":true,"policy":"fair","seen":{"live":%s,"shadow":%s,
                 "behind_seconds":90,"starts":%s}}
                """
                        .formatted(figures(120), figures(60), STARTS));

        assertThat(Shell.at(stand).run("shadow").out())
                .contains("a       3     2m → 1m  3m → 3m")
                .contains("fair, 1m30s behind: 2 jobs earlier");
    }
}
