package io.gpusched.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Topology;
import io.gpusched.core.policy.PolicySettings;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

final class TraceRunTest {
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private static TraceJob job(long submitted, long runs) {
        return new TraceJob(
                "job",
                "team",
                START.plusSeconds(submitted),
                Duration.ofSeconds(runs),
                Duration.ofSeconds(runs),
                TraceJob.Ask.ofGpus(1));
    }

    private static List<TraceOutcome> run(
            String policy, TraceBehaviour traceBehaviour, TraceJob... jobs) {
        var gpu = new Gpu(0, new GpuModel("A100", 0), 40_000, "gpu-0");
        var node =
                new Node(
                        new NodeId("n1"),
                        TraceRun.AGENT,
                        "",
                        List.of(gpu),
                        Topology.FLAT,
                        Resources.cores(8, 1000),
                        List.of(),
                        Labels.NONE);
        return new TraceRun(
                        List.of(jobs),
                        List.of(node),
                        Objects.requireNonNull(Policies.named(policy, PolicySettings.DEFAULT)),
                        EngineSettings.DEFAULT,
                        traceBehaviour)
                .run();
    }

    private static List<Long> ends(List<TraceOutcome> fates) {
        return fates.stream()
                .map(
                        traceOutcome ->
                                Duration.between(
                                                START, Objects.requireNonNull(traceOutcome.ended()))
                                        .toSeconds())
                .toList();
    }

    @Test
    void jobsRunOneAfterTheOtherIfOnlyOneFits() {
        List<TraceOutcome> fates =
                run("fifo-strict", TraceBehaviour.PLAIN, job(0, 100), job(10, 50), job(20, 5));
        assertThat(ends(fates)).containsExactly(100L, 150L, 155L);
        assertThat(fates.get(1).queued()).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void aStoppedJobKeepsItsWorkAndPaysForItsRestart() {
        var traceBehaviour =
                new TraceBehaviour(Duration.ZERO, Duration.ZERO, job -> Duration.ofSeconds(7));
        List<TraceOutcome> fates = run("srtf", traceBehaviour, job(0, 100), job(10, 50));
        assertThat(ends(fates)).containsExactly(157L, 60L);
        assertThat(fates.getFirst().preemptions()).isEqualTo(1);
        assertThat(fates.getFirst().queued()).isEqualTo(Duration.ofSeconds(50));
    }

    @Test
    void onAGridTheSchedulerDecidesOnlyThen() {
        var traceBehaviour =
                new TraceBehaviour(
                        Duration.ofMinutes(1), Duration.ofSeconds(1), job -> Duration.ZERO);
        List<TraceOutcome> fates = run("fifo-strict", traceBehaviour, job(0, 100), job(10, 50));
        assertThat(ends(fates)).containsExactly(101L, 171L);
    }

    @Test
    void aJobThatFitsNowhereDoesNotEnd() {
        var large =
                new TraceJob(
                        "large",
                        "team",
                        START,
                        Duration.ofSeconds(5),
                        Duration.ZERO,
                        TraceJob.Ask.ofGpus(4));
        List<TraceOutcome> fates = run("fifo-skip", TraceBehaviour.PLAIN, large, job(1, 5));
        assertThat(fates.getFirst().ended()).isNull();
        assertThat(fates.getLast().completion()).isEqualTo(Duration.ofSeconds(5));
    }
}
