package io.gpusched.server.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

final class AgentServicesTest {
    @Test
    void aServerThatCanNoLongerMeasureSilenceDies() throws Exception {
        var death = new CompletableFuture<Throwable>();
        long began = System.nanoTime();
        var setup =
                new AgentServices.Setup(
                        AgentTimes.DEFAULT,
                        HeatQuantizer.DEFAULT,
                        JoinTokens.OPEN,
                        1,
                        AgentTimes.DEFAULT.lease(),
                        System::nanoTime,
                        () -> (System.nanoTime() - began) * 10_000,
                        InstantSource.system());
        try (var agentServices =
                new AgentServices(
                        setup,
                        (report, wanted, settled) -> {
                            throw new IllegalStateException("no room for " + report);
                        },
                        death::complete)) {
            agentServices.expect(
                    new Agent(new AgentId("one"), Agent.Custody.SELF_FENCING, 0), List.of());
            agentServices.start();
            assertThat(death.get(Duration.ofSeconds(30).toMillis(), TimeUnit.MILLISECONDS))
                    .hasMessageContaining("no room for");
        }
    }
}
