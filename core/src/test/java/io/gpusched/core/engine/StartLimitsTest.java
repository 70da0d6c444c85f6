package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.PoolBuilder.aPool;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.kit.PoolBuilder;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.PayloadLimits;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import org.junit.jupiter.api.Test;

import java.time.Duration;

final class StartLimitsTest {
    private static final int KIB = 1024;

    private static void active(PoolScene pool, boolean active) {
        var tenant =
                new Tenant(
                        new TenantId("team"),
                        null,
                        Limits.ZERO,
                        Limits.NONE,
                        1,
                        new PreemptionRules(true, true, 0),
                        active,
                        Labels.NONE);
        pool.scene.tell(new Command.PutTenant(tenant, active, "me"));
    }

    @Test
    void payloadsOfReplicasStayWithinTheLimitsOfTheirTenant() {
        var limits = new PayloadLimits(16 * KIB, 20 * KIB);
        var pool = new PoolScene(PoolBuilder.settings().with(limits), "n1: 8×A100");
        pool.scene.tenant("team", 8, true);
        pool.put(aPool().script("x".repeat(4 * KIB)).from(8, 8));
        assertThat(pool.jobs()).hasSize(3);
        assertThat(pool.explained().whyNotMore())
                .contains("waiting and running jobs of tenant default", "limit: 16 KiB");
        assertThat(
                        pool.scene.tell(
                                new Command.Submit(aJob().of("team").spec(), "", 0, false, "me")))
                .isInstanceOf(Answer.Accepted.class);
    }

    @Test
    void aPoolThatMayNotStartReplicasDoesNotGrow() {
        var limits = new PayloadLimits(16 * KIB, 20 * KIB);
        var pool = new PoolScene(PoolBuilder.settings().with(limits), "n1: 8×A100");
        pool.put(aPool().script("x".repeat(4 * KIB)).from(3, 8));
        pool.serve(8, Duration.ofSeconds(5));
        assertThat(pool.chat().desired()).isEqualTo(3);
        assertThat(pool.explained().rule()).isEqualTo("no-start");
        assertThat(pool.explained().reason()).contains("limit: 16 KiB");
    }

    @Test
    void aCycleSubmitsABoundedNumberOfReplicas() {
        var pool = new PoolScene("n1: 8×A100");
        pool.put(aPool().law("static").from(1_500, 1_500));
        assertThat(pool.jobs()).hasSize(1_000);
        pool.scene.pass(Duration.ofSeconds(5));
        assertThat(pool.jobs()).hasSize(1_500);
    }

    @Test
    void aCycleSubmitsABoundedSizeOfPayloads() {
        var pool = new PoolScene("n1: 8×A100");
        pool.put(aPool().law("static").script("x".repeat(1_000_000)).from(20, 20));
        assertThat(pool.jobs()).hasSize(16);
        pool.scene.pass(Duration.ofSeconds(5));
        assertThat(pool.jobs()).hasSize(20);
    }

    @Test
    void aTenantThatIsNotActiveGetsNoMoreReplicas() {
        var pool = new PoolScene("n1: 8×A100");
        active(pool, true);
        pool.put(aPool().of(aJob().of("team")).from(2, 8));
        pool.run();
        active(pool, false);
        pool.serve(6, Duration.ofSeconds(10));
        assertThat(pool.chat().desired()).isEqualTo(2);
        assertThat(pool.explained().reason())
                .isEqualTo("no replica starts: tenant team is not active");
        pool.scene.tell(new Command.ScalePool(PoolScene.CHAT, 4, "", "me"));
        pool.scene.pass(Duration.ofMinutes(1));
        assertThat(pool.jobs()).hasSize(2);
        assertThat(pool.explained().whyNotMore()).isEqualTo("tenant team is not active");
        assertThat(pool.events(Event.JobSubmitted.class)).hasSize(2);
        active(pool, true);
    }
}
