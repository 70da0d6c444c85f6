package io.gpusched.server.forecast;

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
import io.gpusched.core.forecast.StartEstimate;
import io.gpusched.core.learn.runtime.Profile;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Features;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.Topology;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.cell.QueryFollower;
import io.gpusched.server.learn.ModelCopies;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

final class StartForecasterTest {
    private static final int RUN_AHEAD_FOR = 40;
    private static final int JOBS = 120;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final InstantSource clock = () -> now;
    private final Engine engine = engine();
    @TempDir Path folder;
    private @Nullable StartForecaster made;
    private @Nullable Follower follower;
    private final Cell cell =
            new Cell(engine, new MemoryJournal(), assignment -> {}, new PassesOn());

    private static Engine engine() {
        EngineSettings settings = EngineSettings.DEFAULT;
        return new Engine(
                Objects.requireNonNull(Policies.named("priority", settings.policy())), settings);
    }

    private final class PassesOn implements Listener {
        @Override
        public void concluded(Batch batch, CycleResult cycleResult) {
            startForecaster().applied(batch, cycleResult, engine);
        }
    }

    private StartForecaster startForecaster() {
        StartForecaster there = made;
        if (there == null) {
            there = another();
            made = there;
        }
        return there;
    }

    private StartForecaster another() {
        return new StartForecaster(
                EngineSettings.DEFAULT,
                Duration.ofSeconds(1),
                clock,
                new ModelCopies(),
                folder,
                RUN_AHEAD_FOR);
    }

    @AfterEach
    void stop() {
        if (follower != null) {
            follower.close();
        }
    }

    private void tell(Input input) {
        cell.handle(List.of(input), now);
    }

    private static Command submission() {
        var shape =
                new Shape(
                        GpuRequest.whole(1, 0),
                        Resources.cores(1, 0),
                        List.of(),
                        Labels.NONE,
                        List.of());
        return new Command.Submit(
                JobSpec.builder(Tenant.DEFAULT, List.of(Role.of(shape, 1)))
                        .name("job")
                        .priority(100)
                        .kind("kind")
                        .limit(Duration.ofHours(1))
                        .build(),
                "",
                0,
                false,
                "tester");
    }

    private void lookAtCrowd() {
        cell.takeCharge(1, "test", "test", now);
        var gpu = new Gpu(0, GpuModel.parse("A100-80GB"), 81920, "g");
        var node =
                new Node(
                        new NodeId("n"),
                        new AgentId("a"),
                        "",
                        List.of(gpu),
                        Topology.FLAT,
                        Resources.cores(64, 512_000),
                        List.of(),
                        Labels.NONE);
        var agent = new Agent(new AgentId("a"), Agent.Custody.SELF_FENCING, 0);
        tell(new Report.Hello(agent, List.of(node), List.of()));
        for (int i = 0; i < JOBS; i++) {
            tell(submission());
        }
        var queries = new QueryFollower(() -> engine, List.of(), death -> {});
        var sees = new Follower(engine, queries, List.of(), death -> {});
        follower = sees;
        sees.start();
        startForecaster().look(sees);
    }

    @Test
    void aJobTooFarBackForASimulationGetsARoughEstimate() {
        lookAtCrowd();

        JobId first = new JobId(3);
        JobId last = new JobId(JOBS);
        assertThat(startForecaster().isRough(first)).isFalse();
        assertThat(startForecaster().isRough(last)).isTrue();
        StartEstimate near = Objects.requireNonNull(startForecaster().of(first));
        StartEstimate far = Objects.requireNonNull(startForecaster().of(last));
        Instant middle = Objects.requireNonNull(far.middle());
        assertThat(middle).isAfter(Objects.requireNonNull(near.late()));
        assertThat(Duration.between(now, middle))
                .as("119 before it, each for any time up to an hour")
                .isBetween(Duration.ofHours(40), Duration.ofHours(90));
        assertThat(far.early()).isBefore(middle);
        assertThat(far.late()).isAfter(middle);
        assertThat(startForecaster().of(new JobId(5_000))).isNull();
    }

    @Test
    void noEstimateIsInThePast() {
        lookAtCrowd();
        JobId second = new JobId(2);
        assertThat(startForecaster().isDue(second)).isFalse();
        StartEstimate told = Objects.requireNonNull(startForecaster().of(second));

        now = Objects.requireNonNull(told.middle()).plusSeconds(1);

        assertThat(startForecaster().isDue(second)).isTrue();
        assertThat(startForecaster().of(second))
                .isEqualTo(new StartEstimate(now, now, told.late()));
    }

    @Test
    void roughEstimatesAreCountedToo() {
        lookAtCrowd();
        assertThat(startForecaster().coverage()).isNaN();
        for (int number = 1; number < JOBS; number++) {
            halfHourOf(number);
        }
        assertThat(startForecaster().coverage())
                .as("all of them started about when they were told")
                .isBetween(0.9, 1.0);
    }

    private void halfHourOf(int number) {
        Job job = Objects.requireNonNull(engine.state().job(new JobId(number)));
        Run run = Objects.requireNonNull(job.phase().run());
        tell(new Report.TaskRunning(run.id(), 0));
        now = now.plus(Duration.ofMinutes(30));
        tell(new Report.TaskEnded(run.id(), 0, new Exit(Exit.How.EXITED, 0, "")));
    }

    @Test
    void estimatesFromBeforeARestartStillCount() {
        lookAtCrowd();
        for (int number = 1; number < 30; number++) {
            halfHourOf(number);
        }
        double before = startForecaster().coverage();
        assertThat(before).isEqualTo(1);
        startForecaster().keep();

        StartForecaster next = another();
        next.resume(engine.state());
        assertThat(next.coverage()).isEqualTo(before);
        made = next;
        now = now.plus(Duration.ofDays(60));
        for (int number = 30; number < 60; number++) {
            halfHourOf(number);
        }
        assertThat(next.coverage())
                .as("nobody looked ahead since: 30 started when they were told, 30 much later")
                .isBetween(0.4, 0.6);
    }

    @Test
    void aJobThatStartedAfterTheLastWriteIsCountedFromTheState() {
        lookAtCrowd();
        startForecaster().keep();
        halfHourOf(1);

        StartForecaster next = another();
        next.resume(engine.state());

        assertThat(next.coverage()).as("job 2 has started in time").isEqualTo(1);
    }

    @Test
    void aFileThatIsNotUnderstoodIsLeftAside() throws IOException {
        Files.writeString(folder.resolve("promises"), "promises 1\nshift 1 2\n");
        StartForecaster next = another();
        next.resume(engine.state());
        assertThat(next.coverage()).isNaN();
    }

    @Test
    void theModelIsCopiedOnlyWhenSomethingWasLearned() {
        var copies = new ModelCopies();
        var first = copies.of(engine);
        assertThat(copies.of(engine).image()).isSameAs(first.image());
        Profile profile = new Profile("kind", "A100-80GB", Features.NONE);
        engine.learner().model().observed(profile, List.of(), 5, now);
        assertThat(copies.of(engine)).isNotEqualTo(first);
    }
}
