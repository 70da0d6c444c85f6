package io.gpusched.operator.pools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.operator.KubeYaml;
import io.gpusched.operator.kube.KubeApi.PatchKind;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Pools as in a real operator: objects are watched, and a thread works on them.
@Timeout(120)
@SuppressWarnings("NullAway.Init")
final class PoolControllerTest {
    private static final String POOL =
            """
            kind: AgentPool
            metadata: {name: chat}
            spec: {maxReplicas: 3, template: {spec: {containers: [{name: main, image: serve}]}}}
            """;

    @TempDir Path data;

    private PoolsFixture fixture;
    private PoolController controller;

    @BeforeEach
    void start() {
        fixture = new PoolsFixture(data);
        controller = fixture.controller();
        controller.start();
    }

    @AfterEach
    void stop() {
        controller.close();
        fixture.close();
    }

    private static void await(BooleanSupplier holds) {
        long until = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!holds.getAsBoolean() && System.nanoTime() - until < 0) {
            LockSupport.parkNanos(10_000_000);
        }
        assertThat(holds.getAsBoolean()).isTrue();
    }

    private JsonNode pool() {
        return fixture.pool("team-a", "chat");
    }

    private boolean isAtScheduler() {
        return !fixture.ask("/api/v1/pools/team-a.chat").isMissingNode();
    }

    @Test
    void aPoolComesAndGoesAlsoWhenWatchesBreak() {
        fixture.apply("team-a", POOL);
        await(() -> PoolsFixture.condition(pool(), "Ready").startsWith("False Scaling"));
        assertThat(isAtScheduler()).isTrue();

        fixture.cluster.forgetHistory();
        fixture.cluster.endWatches();
        fixture.apply("team-a", POOL.replace("maxReplicas: 3", "maxReplicas: 5"));
        await(() -> pool().at("/status/observedGeneration").asInt() == 2);
        assertThat(fixture.ask("/api/v1/pools/team-a.chat").path("max_replicas").asInt())
                .isEqualTo(5);
        assertThat(controller.problem()).isEmpty();

        fixture.delete(PoolKind.AGENT_POOL, "team-a", "chat");
        await(() -> pool().isEmpty());
        await(() -> !isAtScheduler());
    }

    @Test
    void statusesAreWrittenAfterTheApiServerWasAway() {
        fixture.apply("team-a", POOL);
        await(this::isAtScheduler);
        fixture.cluster.goAway();
        fixture.ask(
                "POST", "/api/v1/pools/team-a.chat/scale", "{\"replicas\": 2, \"reason\": \"x\"}");
        fixture.cluster.comeBack();
        await(() -> pool().at("/status/heldAt").asInt() == 2);
    }

    @Test
    void scaleGoesThroughTheSubResource() {
        fixture.apply("team-a", POOL);
        await(this::isAtScheduler);
        fixture.api.patch(
                PoolKind.AGENT_POOL.type(),
                "team-a",
                "chat",
                "scale",
                PatchKind.MERGE,
                KubeYaml.object("{spec: {replicas: 2}}"));
        await(() -> pool().at("/status/heldAt").asInt() == 2);
        assertThat(pool().at("/spec/replicas").asInt()).isEqualTo(2);
        assertThat(
                        fixture.api
                                .get(PoolKind.AGENT_POOL.type().path("team-a", "chat") + "/scale")
                                .at("/status/selector")
                                .asText())
                .isEqualTo("neuronetes.io/pool=chat");
    }
}
