package io.gpusched.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Problem;
import io.gpusched.core.model.PolicyCause;
import io.gpusched.core.state.ClusterState;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// The command that changes the policy.
final class PolicyCommandHandlerTest {
    private static final Instant NOW = Instant.parse("2026-01-05T12:00:00Z");

    private final Engine engine = engine("priority");

    private static Engine engine(String configured) {
        EngineSettings settings = EngineSettings.DEFAULT;
        return new Engine(
                Objects.requireNonNull(Policies.named(configured, settings.policy())), settings);
    }

    private static List<Event> set(Engine engine, String policy) {
        var command = new Command.SetPolicy(policy, "me", "why", PolicyCause.COMMAND);
        var accepted = (Answer.Accepted) engine.answer(command, NOW);
        accepted.events().forEach(engine::apply);
        return accepted.events();
    }

    @Test
    void aChangeRecordsWhoWhyAndWhatWasConfigured() {
        var change =
                new Event.PolicyChanged(NOW, "sjf", "me", "why", PolicyCause.COMMAND, "priority");

        assertThat(set(engine, "sjf")).containsExactly(change);

        assertThat(engine.policy().name()).isEqualTo("sjf");
        assertThat(engine.state().policyChanges()).containsExactly(change);
    }

    @Test
    void thePolicyInForceNeedsNoEvent() {
        assertThat(set(engine, "priority")).isEmpty();
        set(engine, "sjf");
        assertThat(set(engine, "sjf")).isEmpty();
        assertThat(set(engine, "priority")).hasSize(1);
    }

    @Test
    void anEditedConfigurationIsRecordedEvenIfItsPolicyIsInForce() {
        set(engine, "sjf");
        Engine restarted =
                Engine.restore(engine.image(), engine("sjf").policy(), EngineSettings.DEFAULT);
        assertThat(restarted.policy().name()).isEqualTo("sjf");

        assertThat(set(restarted, "sjf")).hasSize(1);
        assertThat(set(restarted, "sjf")).isEmpty();
    }

    @Test
    void aReasonThatIsTooLongIsRejectedWithTheLimit() {
        assertThat(engine.answer(because("x".repeat(1024)), NOW))
                .isInstanceOf(Answer.Accepted.class);
        assertThat(engine.answer(because("x".repeat(1025)), NOW))
                .isEqualTo(
                        Answer.rejected(
                                Problem.Code.INVALID,
                                "reason",
                                "reason is 1025 characters long, at most 1024 fit",
                                "shorten it"));
    }

    private static Command because(String reason) {
        return new Command.SetPolicy("sjf", "me", reason, PolicyCause.COMMAND);
    }

    @Test
    void theLastHundredChangesAreKept() {
        for (int i = 0; i < 60; i++) {
            set(engine, "sjf");
            set(engine, "fifo");
        }
        assertThat(engine.state().policyChanges()).hasSize(100);
        ClusterState restored =
                Engine.restore(engine.image(), engine("fifo").policy(), EngineSettings.DEFAULT)
                        .state();
        assertThat(restored.policyChanges()).isEqualTo(engine.state().policyChanges());
    }
}
