package io.gpusched.server.idle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.Listener;
import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.Topology;
import io.gpusched.server.agents.Telemetry;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/// The watch with a cell and a manual clock: many readings in, few reports out.
final class IdleWatchTest {
    private static final NodeId NODE = new NodeId("n1");
    private static final double BUSY = 80;
    private static final double QUIET = 1;

    private final IdleRules rules =
            new IdleRules(5, Duration.ofMinutes(30), true, Duration.ofMinutes(10));
    private final Engine engine = engine();
    private final Cell cell = new Cell(engine, new MemoryJournal(), order -> {}, new Hears());
    private final List<Report> told = new ArrayList<>();
    private IdleWatch watch = watch();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    IdleWatchTest() {
        cell.takeCharge(1, "test", "test", now);
        var gpus =
                IntStream.range(0, 4)
                        .mapToObj(i -> new Gpu(i, GpuModel.parse("A100-80GB"), 81_920, "g" + i))
                        .toList();
        var node =
                new Node(
                        NODE,
                        new AgentId("a"),
                        "",
                        gpus,
                        Topology.FLAT,
                        Resources.cores(64, 512_000),
                        List.of(),
                        Labels.NONE);
        var agent = new Agent(new AgentId("a"), Agent.Custody.SELF_FENCING, 0);
        tell(new Report.Hello(agent, List.of(node), List.of()));
    }

    private final class Hears implements Listener {
        @Override
        public void concluded(Batch batch, CycleResult cycleResult) {
            watch.applied(batch, cycleResult, engine);
        }
    }

    private Engine engine() {
        EngineSettings usual = EngineSettings.DEFAULT;
        var settings =
                EngineSettings.builder()
                        .policy(usual.policy())
                        .maxWaiting(usual.maxWaiting())
                        .assumedRuntime(usual.assumedRuntime())
                        .topologyLevels(usual.topologyLevels())
                        .fairShareSettings(usual.fairShareSettings())
                        .idle(rules)
                        .build();
        return new Engine(
                Objects.requireNonNull(Policies.named("priority", settings.policy())), settings);
    }

    private IdleWatch watch() {
        return new IdleWatch(
                rules,
                engine.state(),
                Duration.ofMinutes(2),
                (report, wanted, settled) -> {
                    told.add(report);
                    tell(report);
                });
    }

    @Test
    void aTaskIsIdleWhenAllItsGpusWereQuietForLongEnough() {
        AttemptId run = started(2);
        read(29, QUIET, QUIET);
        assertThat(told).isEmpty();
        assertThat(watch.rows(now)).isEmpty();
        read(2, QUIET, QUIET);
        assertThat(told).hasSize(1);
        assertThat(engine.state().idleTasks().find(run, 0)).isNotNull();
        IdleRow row = row(run);
        assertThat(row.whole()).isTrue();
        assertThat(row.idle()).isEqualTo(2000);
        assertThat(row.percent()).isEqualTo(QUIET);
        assertThat(Duration.ofMillis(row.wastedMillis()))
                .isCloseTo(Duration.ofMinutes(60), Duration.ofMinutes(2));
        read(9, QUIET, QUIET);
        assertThat(told).as("nothing new to tell").hasSize(1);
    }

    @Test
    void oneBusyReadingIsEnoughToBeBusyAgain() {
        AttemptId run = started(2);
        read(31, QUIET, QUIET);
        read(1, QUIET, BUSY);
        assertThat(told)
                .containsExactly(told.getFirst(), new Report.TaskUse(run, 0, Duration.ZERO));
        assertThat(engine.state().idleTasks().all()).isEmpty();
        read(29, QUIET, QUIET);
        assertThat(told).as("the time begins anew").hasSize(2);
    }

    @Test
    void aTaskThatUsesSomeOfItsGpusIsShownButNotReported() {
        AttemptId run = started(4);
        read(35, BUSY, QUIET, QUIET, QUIET);
        assertThat(told).isEmpty();
        IdleRow row = row(run);
        assertThat(row.whole()).isFalse();
        assertThat(row.idle()).isEqualTo(3000);
        assertThat(row.gpus()).isEqualTo(0b1110);
        assertThat(watch.idleGpus(now)).isEqualTo(3);
    }

    @Test
    void whatIsNotMeasuredIsNotIdle() {
        started(1);
        read(100, (Double) null);
        assertThat(told).isEmpty();
        assertThat(watch.rows(now)).isEmpty();
    }

    @Test
    void aSilenceStartsTheCountAnew() {
        started(1);
        read(29, QUIET);
        now = now.plus(Duration.ofMinutes(10));
        read(29, QUIET);
        assertThat(told).isEmpty();
        read(2, QUIET);
        assertThat(told).hasSize(1);
    }

    @Test
    void theTimeBeforeATaskRanDoesNotCount() {
        read(100, QUIET);
        started(1);
        read(29, QUIET);
        assertThat(told).isEmpty();
    }

    @Test
    void aJobThatStaysIdleIsStoppedAndLeavesTheList() {
        AttemptId run = started(1);
        read(45, QUIET);
        Job job = Objects.requireNonNull(engine.state().job(run.job()));
        assertThat(job.phase()).isInstanceOf(Phase.Stopping.class);
        tell(new Report.TaskEnded(run, 0, new Exit(Exit.How.STOPPED, 143, "")));
        assertThat(watch.rows(now)).isEmpty();
        assertThat(watch.idleGpus(now)).isZero();
    }

    @Test
    void aNewWatchGoesOnWhereTheLastOneWas() {
        AttemptId run = started(1);
        read(31, QUIET);
        watch = watch();
        assertThat(watch.rows(now)).containsKey(run.job());
        read(1, BUSY);
        assertThat(engine.state().idleTasks().all()).isEmpty();
        assertThat(watch.rows(now)).isEmpty();
    }

    private IdleRow row(AttemptId run) {
        return Objects.requireNonNull(watch.rows(now).get(run.job())).getFirst();
    }

    /// Sends a reading each minute for this many minutes.
    private void read(int minutes, @Nullable Double... percents) {
        for (int minute = 0; minute < minutes; minute++) {
            now = now.plus(Duration.ofMinutes(1));
            var samples = new ArrayList<Telemetry.GpuSample>();
            for (int gpu = 0; gpu < percents.length; gpu++) {
                samples.add(new Telemetry.GpuSample(gpu, null, percents[gpu], null, null));
            }
            watch.received(NODE, new Telemetry.Reading(now, samples));
        }
    }

    private AttemptId started(int gpus) {
        var shape =
                new Shape(
                        GpuRequest.whole(gpus, 0),
                        Resources.cores(1, 0),
                        List.of(),
                        Labels.NONE,
                        List.of());
        var spec =
                JobSpec.builder(Tenant.DEFAULT, List.of(Role.of(shape, 1)))
                        .name("job")
                        .priority(100)
                        .kind("kind")
                        .build();
        tell(new Command.Submit(spec, "", 0, false, "tester"));
        Job job = Objects.requireNonNull(engine.state().job(new JobId(1)));
        AttemptId run = Objects.requireNonNull(job.phase().run()).id();
        tell(new Report.TaskRunning(run, 0));
        return run;
    }

    private void tell(Input input) {
        cell.handle(List.of(input), now);
    }
}
