package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeStatus.Reach;
import io.gpusched.core.model.Phase;
import io.gpusched.core.state.Deadlines;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// A job has its time to start from when its orders can reach its agents, and its agents' answers
/// the scheduler.
final class StartDeadlineTest {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration OUTAGE = Deadlines.START.plusSeconds(60);

    private final Node node = aNode("n1").build();
    private final Scene scene = Scene.with(node);
    private final JobId job = scene.submit(aJob());

    @Test
    void aJobThatDoesNotStartInTimeIsStopped() {
        scene.pass(Deadlines.START.minus(SHORT));
        assertThat(scene.phase(job)).isEqualTo("Starting");
        scene.pass(SHORT);
        assertThat(scene.phase(job)).isEqualTo("Stopping");
    }

    @Test
    void aTakeOverGivesWhatStartsItsFullTime() {
        var engine = new Engine(scene.engine().policy(), EngineSettings.DEFAULT);
        var cell = new Cell(engine, scene.journal(), assignment -> {}, (batch, cycleResult) -> {});
        cell.recover();
        var back = scene.now().plus(OUTAGE);
        cell.takeCharge(2, "test", "test", back);
        cell.handle(List.of(), back.plus(Deadlines.START).minus(SHORT));
        assertThat(phase(engine)).isInstanceOf(Phase.Starting.class);
        var restored = Engine.restore(engine.image(), engine.policy(), EngineSettings.DEFAULT);
        assertThat(phase(restored)).isEqualTo(phase(engine));
        cell.handle(List.of(), back.plus(Deadlines.START));
        assertThat(phase(engine)).isInstanceOf(Phase.Stopping.class);
    }

    private Phase phase(Engine engine) {
        return Objects.requireNonNull(engine.state().job(job)).phase();
    }

    @Test
    void whatStartsHasItsFullTimeAfterOrdersWereDelayed() {
        scene.passUnseen(OUTAGE);
        scene.tell(new Report.OrdersDelayed(OUTAGE));
        assertThat(scene.phase(job)).isEqualTo("Starting");
        scene.pass(Deadlines.START.minus(SHORT));
        assertThat(scene.phase(job)).isEqualTo("Starting");
        scene.pass(SHORT);
        assertThat(scene.phase(job)).isEqualTo("Stopping");
    }

    @Test
    void aJobOnAnUnreachableNodeIsNotGivenUpBeforeTheNodeIs() {
        scene.tell(new Report.Silent(node.agent()));
        assertThat(reach()).isEqualTo(Reach.UNREACHABLE);
        scene.pass(OUTAGE);
        assertThat(scene.phase(job)).isEqualTo("Starting");
        scene.join();
        assertThat(reach()).isEqualTo(Reach.UP);
        scene.pass(Deadlines.START.minus(SHORT));
        assertThat(scene.phase(job)).isEqualTo("Starting");
        scene.pass(SHORT);
        assertThat(scene.phase(job)).isEqualTo("Stopping");
    }

    private Reach reach() {
        return Objects.requireNonNull(scene.engine().state().nodes().find(node.id()))
                .status()
                .reach();
    }
}
