package io.gpusched.server.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.wire.agent.HelloReader;
import io.gpusched.wire.proto.agent.GpuFacts;
import io.gpusched.wire.proto.agent.GpuReading;
import io.gpusched.wire.proto.agent.NodeFacts;
import io.gpusched.wire.proto.agent.NodeReading;
import io.gpusched.wire.proto.agent.RegisterAgentRequest;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Many raw readings in, few reported changes out.
final class TelemetryTest {
    private static final NodeId NODE = new NodeId("n1");

    private final List<Report> told = new ArrayList<>();
    private final Telemetry telemetry =
            new Telemetry(HeatQuantizer.DEFAULT, (report, wanted, settled) -> told.add(report));
    private final List<Node> nodes =
            HelloReader.read(
                            RegisterAgentRequest.newBuilder()
                                    .addNodes(
                                            NodeFacts.newBuilder()
                                                    .setNodeId("n1")
                                                    .addGpus(
                                                            GpuFacts.newBuilder()
                                                                    .setModel("A100-80GB")))
                                    .setAgentId("a")
                                    .build())
                    .nodes();

    private void read(GpuReading.Builder reading) {
        telemetry.accept(
                nodes, List.of(NodeReading.newBuilder().setNodeId("n1").addGpus(reading).build()));
    }

    private List<Heat> heats(double... celsius) {
        List<Heat> heats = new ArrayList<>();
        for (double degrees : celsius) {
            told.clear();
            read(GpuReading.newBuilder().setTemperatureCelsius(degrees));
            told.forEach(report -> heats.add(((Report.GpuChanged) report).condition().heat()));
        }
        return heats;
    }

    @Test
    void onlyChangesAreReportedAndHysteresisKeepsThemRare() {
        assertThat(heats(40, 50, 64.9, 65, 60, 59.9, 74.9, 75, 80, 70, 69.9, 74, 75))
                .containsExactly(
                        Heat.COOL, Heat.WARM, Heat.COOL, Heat.WARM, Heat.HOT, Heat.WARM, Heat.HOT);
    }

    @Test
    void nonsenseLeavesTheHeatAsItWas() {
        assertThat(heats(80, Double.NaN, Double.POSITIVE_INFINITY)).containsExactly(Heat.HOT);
        told.clear();
        read(GpuReading.newBuilder());
        read(GpuReading.newBuilder().setIndex(7).setTemperatureCelsius(90));
        read(GpuReading.newBuilder().setIndex(-1).setTemperatureCelsius(90));
        telemetry.accept(
                nodes,
                List.of(
                        NodeReading.newBuilder()
                                .setNodeId("another")
                                .addGpus(GpuReading.newBuilder().setTemperatureCelsius(90))
                                .build()));
        assertThat(told).isEmpty();
    }

    @Test
    void figuresThatNoDeviceCanHaveAreUnknown() {
        read(
                GpuReading.newBuilder()
                        .setTemperatureCelsius(1e307)
                        .setUtilizationPercent(-1e300)
                        .setMemoryUsedMb(Long.MIN_VALUE)
                        .setPowerWatts(Double.NaN)
                        .setFault("x".repeat(1_000_000)));
        assertThat(latest()).isEqualTo(new Telemetry.GpuSample(0, null, null, null, null));
        var condition = ((Report.GpuChanged) told.getFirst()).condition();
        assertThat(condition.heat()).isEqualTo(Heat.COOL);
        assertThat(condition.toString()).hasSizeLessThan(1_000);

        read(
                GpuReading.newBuilder()
                        .setTemperatureCelsius(71.5)
                        .setUtilizationPercent(99)
                        .setMemoryUsedMb(80_000)
                        .setPowerWatts(700));
        assertThat(latest()).isEqualTo(new Telemetry.GpuSample(0, 71.5, 99.0, 80_000L, 700.0));
    }

    private Telemetry.GpuSample latest() {
        return Objects.requireNonNull(telemetry.latest(NODE)).gpus().getFirst();
    }

    @Test
    void aFaultMakesAGpuUnfitUntilItIsGone() {
        read(GpuReading.newBuilder().setTemperatureCelsius(40).setFault("uncorrectable ECC error"));
        read(GpuReading.newBuilder().setTemperatureCelsius(41));
        assertThat(told)
                .containsExactly(
                        new Report.GpuChanged(
                                NODE,
                                0,
                                new GpuCondition(Heat.COOL, false, "uncorrectable ECC error")),
                        new Report.GpuChanged(NODE, 0, GpuCondition.GOOD));
    }

    @Test
    void aRestartContinuesFromWhatIsRecorded() {
        telemetry.resume(NODE, 0, new GpuCondition(Heat.HOT, true, ""));
        assertThat(heats(72, 71, 69)).containsExactly(Heat.WARM);
    }

    @Test
    void readingsFromBeforeTheCellKnewTheNodeAreReportedAgain() {
        assertThat(heats(80)).containsExactly(Heat.HOT);
        telemetry.reportAgain(nodes);
        assertThat(heats(72, 72)).as("told once, and still hot").containsExactly(Heat.HOT);
    }

    @Test
    void aNoticeThatTheMachineWillBeTakenAwayReachesTheCell() {
        for (long millis : List.of(30_000L, -5L, Long.MAX_VALUE)) {
            telemetry.accept(
                    nodes,
                    List.of(
                            NodeReading.newBuilder()
                                    .setNodeId("n1")
                                    .setTakenAwayInMillis(millis)
                                    .build(),
                            NodeReading.newBuilder()
                                    .setNodeId("foreign")
                                    .setTakenAwayInMillis(1)
                                    .build()));
        }
        assertThat(told)
                .containsExactly(
                        new Report.InterruptionNotice(NODE, Duration.ofSeconds(30)),
                        new Report.InterruptionNotice(NODE, Duration.ZERO),
                        new Report.InterruptionNotice(NODE, Duration.ofDays(1)));
    }
}
