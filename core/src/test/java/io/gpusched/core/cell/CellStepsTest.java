package io.gpusched.core.cell;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.TurnOutcome;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The steps of [Cell#handle], taken one by one.
final class CellStepsTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private final List<Batch> batches = new ArrayList<>();
    private final Cell cell =
            Cell.detached(
                    new Engine(policy(), EngineSettings.DEFAULT),
                    (batch, cycleResult) -> batches.add(batch));

    private static Policy policy() {
        return Objects.requireNonNull(Policies.named("priority", EngineSettings.DEFAULT.policy()));
    }

    private void join() {
        Node node = aNode("n1").gpus(1).build();
        var agent = new Agent(node.agent(), Agent.Custody.EXTERNAL, 0);
        cell.take(new Report.Hello(agent, List.of(node), List.of()), NOW);
    }

    private void submit(JobBuilder job) {
        cell.take(new Command.Submit(job.spec(), "", 0, false, "test"), NOW);
    }

    private boolean isPlaced(long job) {
        return Objects.requireNonNull(cell.engine().state().job(new JobId(job))).phase().run()
                != null;
    }

    @Test
    void oneStepAfterTheOtherIsTheSameAsHandlingAll() {
        join();
        submit(aJob());
        cell.decide(NOW);

        var whole = Cell.detached(new Engine(policy(), EngineSettings.DEFAULT), (b, c) -> {});
        Node node = aNode("n1").gpus(1).build();
        whole.handle(
                List.of(
                        new Report.Hello(
                                new Agent(node.agent(), Agent.Custody.EXTERNAL, 0),
                                List.of(node),
                                List.of()),
                        new Command.Submit(aJob().spec(), "", 0, false, "test")),
                NOW);

        assertThat(cell.engine().digest()).isEqualTo(whole.engine().digest());
        assertThat(cell.engine().lastBatch()).isEqualTo(whole.engine().lastBatch());
    }

    @Test
    void anAttemptIsOneJobsTurnAndNoOthers() {
        join();
        submit(aJob().priority(900));
        submit(aJob().priority(1));

        assertThat(cell.attempt(new JobId(2), NOW)).isInstanceOf(TurnOutcome.Placed.class);

        assertThat(isPlaced(1)).as("it comes first, and was not asked for").isFalse();
        assertThat(isPlaced(2)).isTrue();
        assertThat(batches).hasSize(1);
        assertThat(cell.attempt(new JobId(1), NOW)).isInstanceOf(TurnOutcome.Waits.class);
    }

    @Test
    void concludingLetsNoJobTakeATurn() {
        join();
        submit(aJob());
        assertThat(cell.conclude(NOW).events()).isEmpty();
        assertThat(isPlaced(1)).isFalse();
        assertThat(batches).hasSize(1);
        assertThat(batches.getFirst().facts()).hasSizeGreaterThan(1);
    }

    @Test
    void sealingMakesABatchWithoutACycle() {
        cell.seal(NOW);
        assertThat(batches).as("there was nothing to seal").isEmpty();
        join();
        submit(aJob());
        cell.seal(NOW);
        assertThat(isPlaced(1)).isFalse();
        assertThat(batches).hasSize(1);
        assertThat(cell.engine().lastBatch()).isEqualTo(1);
        cell.decide(NOW);
        assertThat(isPlaced(1)).isTrue();
    }

    @Test
    void factsThatAreNotYetInABatchGoToTheNextEngine() {
        join();
        submit(aJob());
        var settings = EngineSettings.DEFAULT;
        Cell next = cell.with(Engine.restore(cell.engine().image(), policy(), settings));
        next.record(new Event.PolicyChanged(NOW, "fifo", "test"));

        next.decide(NOW);

        assertThat(batches).hasSize(1);
        assertThat(batches.getFirst().facts()).hasAtLeastOneElementOfType(Event.JobSubmitted.class);
        assertThat(batches.getFirst().facts().getLast()).isInstanceOf(Event.PolicyChanged.class);
        assertThat(batches.getFirst().decided()).hasSize(1);
    }
}
