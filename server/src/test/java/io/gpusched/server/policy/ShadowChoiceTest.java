package io.gpusched.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.PolicyCause;
import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.ConfigReader;
import io.gpusched.server.config.PolicyRules;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.Arrays;
import java.util.Map;

/// Which policy runs in the shadow.
final class ShadowChoiceTest {
    private static final PolicyRules RULES =
            ConfigReader.read(Arguments.of(), Map.of()).scheduler().policyRules();

    /// The configured policy, and then each of these by command.
    private static PolicyInForce.Status after(String configured, String... commands) {
        var changes =
                Arrays.stream(commands)
                        .map(
                                policy ->
                                        new Event.PolicyChanged(
                                                Instant.EPOCH,
                                                policy,
                                                "admin",
                                                "",
                                                PolicyCause.COMMAND,
                                                configured))
                        .toList();
        return new PolicyInForce.Status(
                changes.isEmpty() ? configured : changes.getLast().policy(), configured, changes);
    }

    private static String beside(String shadow, PolicyInForce.Status status) {
        return new ShadowChoice(shadow, RULES).beside(status);
    }

    @Test
    void theConfiguredShadowPolicyRuns() {
        assertThat(beside("learned", after("priority"))).isEqualTo("learned");
        assertThat(beside("learned", after("priority", "fair"))).isEqualTo("learned");
    }

    @Test
    void aPromotedPolicyIsComparedWithTheOneThatItReplaced() {
        assertThat(beside("learned", after("priority", "learned"))).isEqualTo("priority");
        assertThat(beside("learned", after("priority", "fair", "learned"))).isEqualTo("fair");
    }

    @Test
    void withoutAShadowPolicyThereIsNoneUnlessTheGuardNeedsTheFallback() {
        assertThat(beside("", after("fair"))).isEmpty();
        assertThat(beside("", after("fair", "sjf"))).isEqualTo("fair");
        assertThat(beside("", after("fair", "sjf", "fair"))).isEmpty();
        assertThat(beside("", after("learned"))).isEqualTo("priority");
    }

    @Test
    void thePolicyInForceIsNeverItsOwnShadow() {
        assertThat(beside("fair", after("fair"))).isEmpty();
    }
}
