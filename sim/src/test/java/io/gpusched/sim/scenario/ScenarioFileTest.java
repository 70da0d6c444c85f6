package io.gpusched.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.policy.Policy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

final class ScenarioFileTest {
    private static final String CLUSTER = "cluster: [{name: n, count: 2, gpus: 4xA100}]\n";

    private static Scenario parse(String text) {
        return ScenarioFile.parse("test", text);
    }

    @Test
    void sharingOverTimeIsReadWithGuaranteesAndParents() {
        Scenario scenario =
                parse(
                        CLUSTER
                                + """
                                policy: {name: fair, fair_share: {half_life: 6h, dynamic: true}}
                                tenants:
                                  - {id: top, max_gpus: 8}
                                  - {id: team, parent: top, guaranteed_gpus: 3, fair_share_weight: 2}
                                """);
        assertThat(scenario.scenarioPolicy().toSettings().fairShareSettings())
                .isEqualTo(new FairShareSettings(Duration.ofHours(6), true));
        Tenant team = scenario.tenants().getLast();
        assertThat(team.parent()).isEqualTo(new TenantId("top"));
        assertThat(team.guaranteed().milliGpus()).isEqualTo(3000);
        assertThat(team.weight()).isEqualTo(2);
    }

    @Test
    void theStarvationBoundOfALearnedPolicyIsRead() {
        Scenario scenario = parse(CLUSTER + "policy: {name: learned, starvation_bound: 90m}\n");
        Policy policy = scenario.scenarioPolicy().toPolicy();
        assertThat(Objects.requireNonNull(policy.ranking()).starvationBound())
                .isEqualTo(Duration.ofMinutes(90));
    }

    @Test
    void aGroupOfNodesIsNumbered() {
        List<Node> nodes =
                parse(
                                "cluster: [{name: n, count: 2, gpus: 4×H100-80GB, cpu_cores: 16,"
                                        + " memory_mb: 9}]")
                        .nodes();
        assertThat(nodes).extracting(node -> node.id().name()).containsExactly("n1", "n2");
        assertThat(nodes.getFirst().host()).isEqualTo(Resources.cores(16, 9));
        assertThat(nodes.getFirst().gpus()).hasSize(4);
        assertThat(nodes.getFirst().gpus().getFirst().model())
                .isEqualTo(new GpuModel("H100", 81_920));
    }

    @Test
    void aJobIsReadWithTheNamesOfTheRestApi() {
        Arrival job =
                parse(
                                CLUSTER
                                        + """
                                        tenants: [{id: team-a, max_gpus: 8, allow_preemption: true}]
                                        jobs:
                                          - name: train
                                            tenant_id: team-a
                                            at: 1h30m
                                            priority: 7
                                            gpu_count: 8
                                            tasks: 2
                                            gpu_memory_mb: 40000
                                            cpu_cores: 6
                                            memory_mb: 2000
                                            gpu_model: [A100, H100-80GB]
                                            node_selector: {zone: east}
                                            tolerations: [{key: spot}]
                                            max_runtime: 2h
                                            grace: 5s
                                            checkpoint_enabled: true
                                            runs: 40m
                                            exit: 3
                                        """)
                        .jobs()
                        .getFirst();
        JobSpec spec = job.spec();
        assertThat(job.at()).isEqualTo(Duration.ofMinutes(90));
        assertThat(job.hiddenTruth())
                .isEqualTo(new HiddenTruth(Duration.ofMinutes(40), 3, HiddenTruth.STOPS));
        assertThat(spec.tasks()).isEqualTo(2);
        assertThat(spec.milliGpus()).isEqualTo(8000);
        assertThat(spec.host()).isEqualTo(Resources.cores(6, 2000));
        assertThat(spec.roles().getFirst().shape().gpus().devices()).isEqualTo(4);
        assertThat(spec.roles().getFirst().shape().models()).hasSize(2);
        assertThat(spec.limit()).isEqualTo(Duration.ofHours(2));
        assertThat(spec.onLoss().grace()).isEqualTo(Duration.ofSeconds(5));
        assertThat(spec.onLoss().checkpoints()).isTrue();
    }

    @Test
    void absentLimitsAreNoLimitsAndZeroIsNothing() {
        Tenant tenant = parse(CLUSTER + "tenants: [{id: a, max_gpus: 0}]").tenants().getFirst();
        assertThat(tenant.limit().milliGpus()).isZero();
        assertThat(tenant.limit().milliCpu()).isEqualTo(Limits.UNLIMITED);
    }

    @Test
    void changingATenantKeepsWhatIsNotMentioned() {
        Scenario scenario =
                parse(
                        CLUSTER
                                + """
                                tenants: [{id: a, max_gpus: 4, max_cpu_cores: 8}]
                                actions: [{at: 5m, change_tenant: {id: a, max_gpus: 6}}]
                                """);
        var change = (UserAction.ChangeTenant) scenario.actions().getFirst();
        assertThat(change.tenant().limit().milliGpus()).isEqualTo(6000);
        assertThat(change.tenant().limit().milliCpu()).isEqualTo(8000);
    }

    @Test
    void faultsNameWhatHappensToWhom() {
        List<Fault> faults =
                parse(
                                CLUSTER
                                        + """
                                        faults:
                                          - {at: 1m, lose_node: n1, back_after: 5m}
                                          - {at: 2m, heat: n2, gpus: [0, 3], for: 1h}
                                          - {at: 3m, bad_network: {lose: 0.5}, for: 10m}
                                        """)
                        .faults();
        assertThat(faults)
                .containsExactly(
                        new Fault.NodeLost(
                                Duration.ofMinutes(1),
                                new NodeId("n1"),
                                Duration.ofMinutes(5),
                                false),
                        new Fault.GpusHot(
                                Duration.ofMinutes(2), new NodeId("n2"), 9, Duration.ofHours(1)),
                        new Fault.BadNetwork(
                                Duration.ofMinutes(3), 0.5, 0, Duration.ofMinutes(10)));
    }

    @Test
    void drawnJobsFollowFromTheSeed() {
        Scenario scenario =
                parse(CLUSTER + "workload: [{count: 50, gpu_count: {1: 3, 8: 1}, mean_gap: 1m}]");
        assertThat(scenario.arrivals(1)).hasSize(50).isEqualTo(scenario.arrivals(1));
        assertThat(scenario.arrivals(1)).isNotEqualTo(scenario.arrivals(2));
        assertThat(scenario.arrivals(1)).extracting(Arrival::at).isSorted();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jbos: []                             | jbos: unknown key; did you mean jobs?",
                "jobs: [{gpu_cuont: 1}]               | jobs[0].gpu_cuont: unknown key; did you"
                        + " mean gpu_count?",
                "jobs: [{gpu_count: -1}]              | jobs[0].gpu_count: expected a whole number"
                        + " from 0, found -1",
                "jobs: [{gpu_count: 3, tasks: 2}]     | jobs[0].gpu_count: expected the GPUs of all"
                        + " 2 tasks",
                "jobs: [{gpu_count: many}]            | jobs[0].gpu_count: expected a whole number",
                "jobs: [{runs: soon}]                 | jobs[0].runs: expected a duration such as"
                        + " 90s",
                "jobs: [{tenant_id: nobody}]          | jobs[0].tenant_id: there is no tenant"
                        + " nobody",
                "jobs: [{name: a}, {name: a}]         | jobs[1].name: there is another job a",
                "jobs: {}                             | jobs: expected a list, found keys and"
                        + " values",
                "tenants: [{max_gpus: 4}]             | tenants[0]: needs the key id",
                "tenants: [{id: \"\"}]                  | tenants[0].id: expected a name, found an"
                        + " empty text",
                "tenants: [{id: a, max_gpus: 9223372036854775807}] | tenants[0].max_gpus: expected"
                        + " at most 1000000000000",
                "jobs: [{cpu_cores: 9223372036854775807}] | jobs[0].cpu_cores: expected at most",
                "jobs: [{gpu_count: 0, gpu_percent: 5}] | jobs[0].gpu_count: expected at least 1",
                "tenants: [{id: a, parent: b}]        | tenants[0].parent: expected a tenant that"
                        + " is listed before a, found b",
                "tenants: [{id: a, parent: a}]        | tenants[0].parent: expected a tenant",
                "tenants: [{id: a, fair_share_weight: 0}] | tenants[0].fair_share_weight: expected",
                "tenants: [{id: a, max_gpus: 2, guaranteed_gpus: 3}] | tenants[0].guaranteed_gpus:"
                        + " expected at most max_gpus, which is 2, found 3",
                "policy: {fair_share: {half_life: 0s}} | policy.fair_share.half_life: expected"
                        + " more",
                "faults: [{at: 1m, lose_node: n9}]    | faults[0].lose_node: there is no node n9;"
                        + " did you mean n1?",
                "faults: [{at: 1m}]                   | expected one of lose_node",
                "faults: [{at: 1m, heat: n1, gpus: [7]}] | faults[0].gpus: node n1 has no GPU 7",
                "actions: [{at: 1m, cancel: x}]       | actions[0].cancel: there is no job x",
                "timing: {lease: 20m}                 | timing.fenced_after: expected more than the"
                        + " lease of 20m",
                "start: yesterday                     | start: expected a time such as",
                "workload: [{gpu_count: {1: 0}}]      | workload[0].gpu_count.1: expected a weight"
                        + " over 0",
                "until: 5                             | until: expected a duration",
                "carbon: {intensity: nowhere.csv}     | carbon.intensity: there is no file"
                        + " nowhere.csv",
                "carbon: {intensity: [3, dirty]}      | carbon.intensity: expected a file, or"
                        + " grams",
                "carbon: {intensity: [3], every: 0s}  | carbon.every: expected a time above zero",
                "workload: [{benchmark: {jobs: 3}}]   | workload[0].benchmark.jobs: unknown key",
                "workload: [{benchmark: {}, count: 3}] | workload[0].count: unknown key",
            })
    void whatIsWrongIsSaidWithItsPlace(String text, String message) {
        assertThatThrownBy(() -> parse(CLUSTER + text))
                .isInstanceOf(BadScenario.class)
                .hasMessageContaining(message);
    }

    @Test
    void yamlMistakesNameTheLine() {
        assertThatThrownBy(() -> parse("cluster: [\n  {name: n"))
                .isInstanceOf(BadScenario.class)
                .hasMessageContaining("line ")
                .hasMessageContaining("not YAML");
        assertThatThrownBy(() -> parse("about: a\nabout: b\n" + CLUSTER))
                .hasMessageContaining("Duplicate field 'about'");
        assertThatThrownBy(() -> parse("")).hasMessageContaining("expected keys and values");
    }

    @ParameterizedTest
    @CsvSource({"250ms,PT0.25S", "90s,PT1M30S", "1h30m,PT1H30M", "7d,PT168H", "0,PT0S"})
    void durationsAreReadAsPeopleWriteThem(String text, Duration duration) {
        assertThat(ScenarioDurations.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @CsvSource({"'',", "5,", "m5,", "1m1h,", "-5s,", "1.5h,"})
    void otherDurationsAreNot(String text, String nothing) {
        assertThat(ScenarioDurations.parse(text)).isNull();
    }
}
