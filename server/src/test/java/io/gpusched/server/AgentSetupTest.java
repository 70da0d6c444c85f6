package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.server.agents.AgentTimes;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

final class AgentSetupTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Engine engine =
            new Engine(
                    Objects.requireNonNull(
                            Policies.named("priority", EngineSettings.DEFAULT.policy())),
                    EngineSettings.DEFAULT);

    @Test
    void anUnrecordedLeaseCountsAsTheDefaultLease() {
        assertThat(AgentSetup.leaseBefore(engine.state())).as("nobody holds one").isZero();
        var agent = new Agent(new AgentId("one"), Agent.Custody.SELF_FENCING, 0);
        engine.apply(new Event.AgentJoined(NOW, agent));
        assertThat(AgentSetup.leaseBefore(engine.state())).isEqualTo(AgentTimes.DEFAULT.lease());
        engine.apply(new Event.LeaseBound(NOW, Duration.ofSeconds(30)));
        assertThat(AgentSetup.leaseBefore(engine.state())).isEqualTo(Duration.ofSeconds(30));
    }
}
