package io.gpusched.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.policy.RefusalCount;
import io.gpusched.core.policy.TurnOutcome;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Two jobs of one kind wait; what a turn tells of one is or is not told of the other.
final class LatestTurnsTest {
    private static final Instant NOW = Instant.parse("2025-01-01T00:00:00Z");
    private static final JobId FIRST = new JobId(1);
    private static final JobId SECOND = new JobId(2);
    private static final Placement PLACE =
            new Placement(
                    List.of(
                            new Slot(
                                    new NodeId("n1"),
                                    0,
                                    0,
                                    new Grant.Whole(1),
                                    Resources.cores(1, 100))));

    private final EngineSettings settings = EngineSettings.DEFAULT;
    private final Engine engine =
            new Engine(
                    Objects.requireNonNull(Policies.named("priority", settings.policy())),
                    settings);
    private final LatestTurns latestTurns = new LatestTurns();

    @BeforeEach
    void submit() {
        var cell = new Cell(engine, new MemoryJournal(), a -> {}, (batch, cycleResult) -> {});
        var shape = Shape.of(GpuRequest.whole(1, 0), Resources.cores(1, 100));
        var spec = JobSpec.builder(Tenant.DEFAULT, List.of(Role.of(shape, 1))).build();
        Input submission = new Command.Submit(spec, "", 0, false, "test");
        cell.handle(List.of(submission, submission), NOW);
    }

    @Test
    void aJobKeepsItsReasonWhenAnotherOfItsKindIsPlaced() {
        add(FIRST, refused("full"));
        add(SECOND, new TurnOutcome.Placed(PLACE, List.of()));
        assertThat(latestTurns.refusals(job(FIRST))).isEqualTo(refused("full").because());
    }

    @Test
    void aJobKeepsItsReasonWhenAnotherOfItsKindPreempts() {
        add(FIRST, refused("full"));
        add(SECOND, new TurnOutcome.Preempts(List.of(new JobId(9)), PLACE));
        assertThat(latestTurns.refusals(job(FIRST))).isEqualTo(refused("full").because());
        assertThat(latestTurns.refusals(job(SECOND))).isEmpty();
    }

    @Test
    void aLaterRefusalOfAnotherOfItsKindAppliesToTheJob() {
        add(FIRST, refused("full"));
        add(SECOND, refused("fuller"));
        assertThat(latestTurns.refusals(job(FIRST))).isEqualTo(refused("fuller").because());
    }

    private void add(JobId id, TurnOutcome turnOutcome) {
        var attempts = new LinkedHashMap<>(Map.of(id, turnOutcome));
        latestTurns.add(new CycleResult(NOW, List.of(), attempts, CycleResult.Work.NONE), engine);
    }

    private static TurnOutcome.Waits refused(String why) {
        var refusal = Refusal.untilCapacity("capacity", why);
        return new TurnOutcome.Waits(List.of(new RefusalCount(refusal, 0)), null);
    }

    private Job job(JobId id) {
        return Objects.requireNonNull(engine.state().job(id));
    }
}
