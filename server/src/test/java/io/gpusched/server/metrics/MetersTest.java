package io.gpusched.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Topology;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.View;
import io.gpusched.server.view.ViewMaker;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

final class MetersTest {
    private final Meters meters = new Meters();

    @Test
    void timesBelowASecondAreDistinguished() {
        meters.appended(300_000);
        meters.appended(900_000);
        meters.appended(20_000_000);
        assertThat(meters.text())
                .contains("gpu_scheduler_journal_append_seconds_bucket{le=\"2.5E-4\"} 0")
                .contains("gpu_scheduler_journal_append_seconds_bucket{le=\"5.0E-4\"} 1")
                .contains("gpu_scheduler_journal_append_seconds_bucket{le=\"0.001\"} 2")
                .contains("gpu_scheduler_journal_append_seconds_bucket{le=\"0.025\"} 3")
                .contains("gpu_scheduler_journal_append_seconds_bucket{le=\"+Inf\"} 3")
                .contains("gpu_scheduler_journal_append_seconds_count 3")
                .contains("gpu_scheduler_journal_append_seconds_sum 0.02");
    }

    @Test
    void timesOfCyclesAndScoresHaveBucketsBelowASecond() {
        meters.took(1, 200_000);
        meters.took(0, 200_000);
        new ScoreMeters(meters).decided("a100", false, 0.02);
        assertThat(meters.text())
                .contains("gpu_scheduler_scheduling_latency_bucket{le=\"1.0E-4\"} 0")
                .contains("gpu_scheduler_scheduling_latency_bucket{le=\"2.5E-4\"} 1")
                .contains("gpu_scheduler_scheduling_latency_count 1")
                .contains("scheduler_scoring_duration_seconds_bucket{le=\"0.01\"} 0")
                .contains("scheduler_scoring_duration_seconds_bucket{le=\"0.025\"} 1");
    }

    private static View nodes(int number) {
        var settings = EngineSettings.DEFAULT;
        var policy = Objects.requireNonNull(Policies.named("priority", settings.policy()));
        var engine = new Engine(policy, settings);
        var gpu = new Gpu(0, GpuModel.parse("A100-40GB"), 40_960, "");
        for (int node = 0; node < number; node++) {
            engine.apply(
                    new Event.NodeJoined(
                            Instant.EPOCH,
                            new Node(
                                    new NodeId("n" + node),
                                    new AgentId("agent"),
                                    "127.0.0.1",
                                    List.of(gpu),
                                    Topology.FLAT,
                                    Resources.cores(16, 64_000),
                                    List.of(),
                                    Labels.NONE)));
        }
        return new ViewMaker(engine).view(engine);
    }

    /// Each read asks every gauge once, and shows the nodes there are; nothing is registered for
    /// it.
    @Test
    void readingRegistersNothingHoweverManyNodesComeAndGo() {
        var view = new AtomicReference<>(nodes(1));
        var reads = new AtomicInteger();
        var cluster =
                new ClusterMeters(
                        meters,
                        view::get,
                        (node, index) -> LatestReadings.Gpu.UNKNOWN,
                        reads::incrementAndGet,
                        InstantSource.system());
        var added = new AtomicInteger();
        meters.registry()
                .config()
                .onMeterAdded(meter -> added.addAndGet(isOurs(meter.getId().getName()) ? 1 : 0));
        long registered = registered();
        reads.set(0);
        List<Integer> sizes = List.of(10, 1000, 5, 1000);
        for (int size : sizes) {
            view.set(nodes(size));
            assertThat(cluster.text().lines())
                    .filteredOn(line -> line.startsWith("gpu_scheduler_gpu_allocation{"))
                    .hasSize(size);
        }
        assertThat(reads).hasValue(sizes.size());
        assertThat(added).hasValue(0);
        assertThat(registered()).isEqualTo(registered);
    }

    /// How many meters and families there are, without those that the machine adds by itself when
    /// it collects garbage.
    private long registered() {
        long ours =
                meters.registry().getMeters().stream()
                        .filter(meter -> isOurs(meter.getId().getName()))
                        .count();
        return ours
                + meters.registry().getPrometheusRegistry().scrape().stream()
                        .filter(family -> isOurs(family.getMetadata().getName()))
                        .count();
    }

    private static boolean isOurs(String name) {
        return name.startsWith("gpu_scheduler");
    }

    @Test
    void aFigureThatIsNotANumberYetIsAbsent() {
        var figure = new AtomicReference<>(Double.NaN);
        meters.gauge("gpu_scheduler_part_ratio", "A part.", figure::get);
        assertThat(meters.text()).doesNotContain("gpu_scheduler_part_ratio");
        figure.set(0.0);
        assertThat(meters.text()).contains("gpu_scheduler_part_ratio 0.0\n");
        figure.set(0.75);
        assertThat(meters.text()).contains("gpu_scheduler_part_ratio 0.75\n");
    }
}
