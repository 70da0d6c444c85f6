package io.gpusched.core.drive;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

final class DriverTest {
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final List<Batch> batches = new ArrayList<>();
    private final EventQueue<Input> events = new EventQueue<>();
    private final Driver driver =
            new Driver(
                    Cell.detached(
                            new Engine(
                                    Objects.requireNonNull(
                                            Policies.named(
                                                    "priority", EngineSettings.DEFAULT.policy())),
                                    EngineSettings.DEFAULT),
                            (batch, cycleResult) -> batches.add(batch)),
                    new Scripted(),
                    START);

    /// Inputs that come when they were planned; no task ever starts.
    private final class Scripted implements SimulatedCluster {
        @Override
        public @Nullable Instant next(Driver driver) {
            return events.next();
        }

        @Override
        public void happen(Driver driver) {
            for (Input input = events.poll(driver.now());
                    input != null;
                    input = events.poll(driver.now())) {
                driver.tell(input);
            }
        }
    }

    private static Input submission() {
        return new Command.Submit(aJob().spec(), "", 0, false, "test");
    }

    private static Input hello() {
        Node node = aNode("n1").gpus(1).build();
        var agent = new Agent(node.agent(), Agent.Custody.EXTERNAL, 0);
        return new Report.Hello(agent, List.of(node), List.of());
    }

    private List<Long> seconds() {
        return batches.stream()
                .map(batch -> Duration.between(START, batch.at()).toSeconds())
                .toList();
    }

    @Test
    void timeJumpsFromInstantToInstantAndEachIsOneBatch() {
        events.plan(START.plusSeconds(120), submission());
        events.plan(START.plusSeconds(60), hello());
        events.plan(START.plusSeconds(60), submission());

        assertThat(driver.next()).isEqualTo(START.plusSeconds(60));
        assertThat(driver.step()).isTrue();
        assertThat(driver.woken()).isFalse();
        assertThat(driver.step()).isTrue();

        assertThat(seconds()).containsExactly(60L, 120L);
        assertThat(driver.now()).isEqualTo(START.plusSeconds(120));
    }

    /// A job whose tasks never start is given up after a time; the cell asks to be woken for that.
    @Test
    void theCellIsWokenWhenItWantsToBe() {
        events.plan(START, hello());
        events.plan(START, submission());
        driver.step();
        Instant wanted = Objects.requireNonNull(driver.cell().wakeAfter(START));

        assertThat(driver.next()).isEqualTo(wanted);
        assertThat(driver.step()).isTrue();

        assertThat(driver.woken()).isTrue();
        assertThat(driver.now()).isEqualTo(wanted);
        assertThat(batches.getLast().facts()).isEmpty();
        assertThat(batches.getLast().decided()).isNotEmpty();
    }

    @Test
    void withNothingToComeThereIsNoNextInstant() {
        assertThat(driver.next()).isNull();
        assertThat(driver.move()).isFalse();
        assertThat(driver.step()).isFalse();
        assertThat(driver.now()).isEqualTo(START);
    }

    @Test
    void timeNeverGoesBack() {
        driver.moveTo(START.plusSeconds(1));
        assertThatThrownBy(() -> driver.moveTo(START)).hasMessageContaining("time would go back");
    }

    @Test
    void whatIsToldBetweenDecisionsBelongsToTheNextBatch() {
        driver.tell(hello());
        driver.tell(submission());
        assertThat(batches).isEmpty();
        assertThat(driver.state().job(new JobId(1))).as("it is known already").isNotNull();

        driver.conclude();
        assertThat(batches.getLast().decided()).as("no job took a turn").isEmpty();

        driver.decide();
        assertThat(batches).hasSize(2);
        assertThat(batches.getLast().facts()).isEmpty();
        assertThat(batches.getLast().decided()).hasSize(1);
    }

    @Test
    void aBatchHoldsWhatHappenedAtOneInstant() {
        driver.tell(hello());
        driver.moveTo(START.plusSeconds(60));
        driver.tell(submission(), START.plusSeconds(30));
        driver.tell(submission());
        driver.decide();

        assertThat(seconds()).containsExactly(0L, 30L, 60L);
        assertThat(batches)
                .allSatisfy(
                        batch ->
                                assertThat(batch.facts())
                                        .allSatisfy(
                                                fact ->
                                                        assertThat(fact.at())
                                                                .isEqualTo(batch.at())));
        assertThat(batches.getFirst().decided()).as("it had no cycle").isEmpty();
        assertThat(batches.getLast().decided()).isNotEmpty();
    }
}
