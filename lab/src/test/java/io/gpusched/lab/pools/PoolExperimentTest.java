package io.gpusched.lab.pools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpusched.sim.pools.ComparedLaw;
import io.gpusched.sim.replica.ServingRequest;
import io.gpusched.sim.trace.BadTrace;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

final class PoolExperimentTest {
    private static final Path SHARED = Path.of("..", "..", "shared", "traces", "llm-pools");
    private static final Path AZURE = Path.of("..", "..", "shared", "traces", "azure-llm-2023");

    /// As often as a gateway reports unless told otherwise.
    private static final Duration SECOND = Duration.ofSeconds(1);

    /// Five minutes with a burst in the middle.
    private static PoolTrace sample() {
        var requests = new ArrayList<ServingRequest>();
        for (int i = 0; i < 600; i++) {
            requests.add(new ServingRequest(i, i / 2.0, 800 + i % 7 * 100, 50 + i % 5 * 40));
            if (i > 250 && i < 300) {
                requests.add(new ServingRequest(i, i / 2.0 + 0.1, 1_500, 100));
            }
        }
        return PoolTrace.of("sample", 4, PoolTrace.CONVERSATION, requests);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "slo",
                "hpa-20",
                "keda",
                "wva",
                "dynamo",
                "dynamo-floor",
                "seed001",
                "oracle-2.3"
            })
    void everyLawAnswersAllRequests(String law) {
        PoolTrace trace = sample();
        PoolResult result = new PoolExperiment(trace, 30, SECOND).run(law);
        assertThat(result.percent()).isBetween(1.0, 100.0);
        assertThat(result.gpuHours()).isBetween(0.3, 14.0);
        assertThat(result.row().split(",", -1)).hasSameSizeAs(PoolResult.COLUMNS.split(",", -1));
        assertThat(result.row()).doesNotContain("NaN");
    }

    @ParameterizedTest
    @ValueSource(strings = {"slo", "hpa-5", "wva", "dynamo", "oracle-2.3"})
    void theCoreDecidesWhatTheLawAndTheLimiterSay(String name) {
        PoolTrace trace = sample();
        var experiment = new PoolExperiment(trace, 30, SECOND);
        ComparedLaw again = experiment.law(name);
        PoolResult result = experiment.run(name);
        assertThat(result.added() + result.removed()).isPositive();
        assertThat(result.row()).isEqualTo(new ThinRun(trace, 30, again, SECOND).run().row());
    }

    @Test
    void aFixedPoolNeverChanges() {
        PoolResult result = new PoolExperiment(sample(), 30, SECOND).run("static-5");
        assertThat(result.added() + result.removed()).isZero();
    }

    @Test
    void anUnknownLawIsNamed() {
        assertThatThrownBy(() -> new PoolExperiment(sample(), 30, SECOND).run("guess"))
                .isInstanceOf(BadTrace.class)
                .hasMessageContaining("expected slo")
                .hasMessageContaining("found guess");
    }

    @Test
    void casesOfTheKubernetesAutoscalerAreDecidedAgain(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("expected_hpa_rates_own.csv");
        Files.writeString(
                file,
                """
                case,min,max,current,wanted,up_policies,down_policies,added_age,removed_age,replicas,reason
                "one, with a comma",1,9,2,8,Pods:4/15s,Percent:100/15s,1@10s,,5,ScaleUpLimit
                wrong,1,9,2,8,Pods:4/15s,Percent:100/15s,1@10s,,6,ScaleUpLimit
                """);
        assertThat(HpaTable.run(file))
                .extracting(HpaTable.Outcome::isEqual)
                .containsExactly(true, false);
    }

    @Test
    void allCasesOfTheSharedTablesAreEqual() {
        assumeTrue(Files.isDirectory(SHARED), "needs the published data beside the project");
        for (String name : List.of("expected_hpa_rates", "expected_hpa_stabilization")) {
            assertThat(HpaTable.run(DataFiles.one(SHARED, name)))
                    .allMatch(HpaTable.Outcome::isEqual);
        }
    }

    @Test
    void everyTokenOfTheSharedReplicaIsEqual() {
        assumeTrue(
                Files.isDirectory(SHARED) && Files.isDirectory(AZURE),
                "needs the published data beside the project");
        ReplicaTable table =
                ReplicaTable.run(
                        DataFiles.one(SHARED, "expected_replica"),
                        DataFiles.one(AZURE, "AzureLLMInferenceTrace_conv"));
        assertThat(table.equal()).isEqualTo(table.size()).isEqualTo(4_000);
    }

    @Test
    void ourLawKeepsTheObjectivesOfTheSharedTraces() {
        assumeTrue(
                Files.isDirectory(SHARED) && Files.isDirectory(AZURE),
                "needs the published data beside the project");
        PoolTrace conversation = PoolExperiment.trace("conversation", SHARED, AZURE);
        PoolResult result = new PoolExperiment(conversation, 60, SECOND).run("slo");
        assertThat(result.percent()).isGreaterThanOrEqualTo(99.0);
        assertThat(result.gpuHours()).isLessThanOrEqualTo(48.0);
        assertThat(result.added()).isLessThanOrEqualTo(40);
        PoolResult slow = new PoolExperiment(conversation, 180, Duration.ofSeconds(5)).run("slo");
        assertThat(slow.percent()).isGreaterThanOrEqualTo(98.0);
        assertThat(slow.gpuHours()).isLessThanOrEqualTo(52.0);
        PoolTrace code = PoolExperiment.trace("code", SHARED, AZURE);
        PoolResult bursts = new PoolExperiment(code, 60, SECOND).run("slo");
        assertThat(bursts.percent()).isGreaterThanOrEqualTo(95.0);
        assertThat(bursts.gpuHours()).isLessThanOrEqualTo(80.0);
        ComparedLaw law = new PoolExperiment(code, 60, SECOND).law("slo");
        assertThat(bursts.row()).isEqualTo(new ThinRun(code, 60, law, SECOND).run().row());
    }
}
