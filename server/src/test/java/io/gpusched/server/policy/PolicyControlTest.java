package io.gpusched.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.PolicyCause;
import io.gpusched.server.cell.CellUnavailable;
import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.ConfigReader;
import io.gpusched.server.metrics.Meters;
import io.gpusched.server.whatif.ShadowPolicy;
import io.gpusched.sim.whatif.ShadowVerdict;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

/// The guard's changes are commands to the cell.
final class PolicyControlTest {
    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    private final List<Command> sent = new ArrayList<>();
    private boolean answers = true;
    private final ShadowPolicy shadow =
            new ShadowPolicy(() -> "priority", text -> null, ShadowPolicy.Limits.USUAL);
    private final PolicyControl control = control();

    private PolicyControl control() {
        EngineSettings settings = EngineSettings.DEFAULT;
        var engine =
                new Engine(
                        Objects.requireNonNull(Policies.named("priority", settings.policy())),
                        settings);
        engine.apply(new Event.PolicyChanged(NOON, "sjf", "admin"));
        return new PolicyControl(
                new PolicyInForce(engine.state(), "priority", new Meters()),
                shadow,
                ConfigReader.read(Arguments.of(), Map.of()).scheduler().policyRules(),
                this::answer,
                InstantSource.fixed(NOON));
    }

    private Answer answer(Command command) {
        if (!answers) {
            throw new CellUnavailable("no answer within 30 s", true);
        }
        sent.add(command);
        return Answer.accepted();
    }

    private void decideLate() {
        control.check();
        for (int i = 0; i < 5; i++) {
            control.cycleTook(1, Duration.ofSeconds(2).toNanos());
        }
    }

    private static Command fallback(String reason) {
        return new Command.SetPolicy("priority", PolicyControl.BY, reason, PolicyCause.FALLBACK);
    }

    @Test
    void aPolicyInGoodOrderStays() {
        control.check();
        control.check();
        assertThat(sent).isEmpty();
        assertThat(control.isGuarding()).isTrue();
        assertThat(control.verdict()).isEqualTo(ShadowVerdict.UNDECIDED);
        assertThat(control.comparison()).isEqualTo("too few jobs have been compared");
    }

    @Test
    void aShadowThatHasStoppedIsComparedWithNothing() throws InterruptedException {
        assertThat(control.isComparing()).isTrue();
        var fails = new CountDownLatch(1);
        shadow.start(
                () -> {
                    fails.countDown();
                    throw new IllegalStateException("a bug");
                });
        fails.await();
        shadow.close();
        assertThat(control.isGuarding()).isTrue();
        assertThat(control.isComparing()).isFalse();
        assertThat(control.verdict()).isEqualTo(ShadowVerdict.UNDECIDED);
        assertThat(control.comparison())
                .startsWith("the shadow has stopped, it failed: ")
                .endsWith("a bug");
    }

    @Test
    void lateCyclesSendTheCommandThatFallsBack() {
        decideLate();
        control.check();
        assertThat(sent)
                .containsExactly(
                        fallback(
                                "decisions of sjf are late: 5 in a row took more than 1000 ms, the"
                                        + " longest 2000 ms"));
    }

    @Test
    void invalidRankingsOfACycleThatChangedNothingCountToo() {
        control.check();
        var work = new CycleResult.Work(1, 0, 0, 1, 1);
        CycleResult nothing = CycleResult.nothing(NOON);
        control.tried(new CycleResult(NOON, List.of(), nothing.attempts(), work));
        control.check();
        assertThat(sent).containsExactly(fallback("sjf ranked jobs invalidly 1 time"));
    }

    @Test
    void aCellThatDoesNotAnswerIsAskedAgain() {
        decideLate();
        answers = false;
        control.check();
        assertThat(sent).isEmpty();
        answers = true;
        control.check();
        assertThat(sent).hasSize(1);
    }
}
