package io.gpusched.core.explain;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.Plugins;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.policy.RefusalCount;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// Whoever waits for GPUs that less important jobs hold is told why these are not stopped.
final class SparedVictimsTest {
    private static Scene scene(String policy) {
        return scene(policy, true);
    }

    private static Scene scene(String policy, boolean preemption) {
        var rules =
                new PolicySettings(
                        10,
                        preemption,
                        PolicySettings.USUAL_CHECKPOINTS,
                        true,
                        PlacementSettings.DEFAULT,
                        Plugins.NONE);
        var scene =
                new Scene(policy, EngineSettings.builder().policy(rules).maxWaiting(1000).build());
        scene.join(aNode("n1").build(), aNode("n2").model("V100-32GB").build());
        scene.tenant("hard", 100, false);
        scene.tenant("soft", 100, true);
        return scene;
    }

    private static JobBuilder low(String tenant, int gpus) {
        return aJob().of(tenant).gpus(gpus).priority(10).model("A100");
    }

    private static JobBuilder high(int gpus) {
        return aJob().gpus(gpus).priority(500).model("A100");
    }

    private static List<String> spared(Scene scene, JobBuilder job) {
        JobId id = scene.submit(job);
        Explanation why = scene.explainer().explain(id);
        assertThat(why.summary()).as("what nodes say stays first").startsWith("waits for");
        return why.spared().stream().map(RefusalCount::why).toList();
    }

    @Test
    void tenantsThatForbidItAreTold() {
        Scene scene = scene("priority");
        scene.submit(low("hard", 2));
        scene.submit(low("hard", 2));
        scene.submit(low("hard", 4));
        scene.submit(aJob().of("hard").gpus(8).priority(10).model("V100"));
        assertThat(spared(scene, high(8)))
                .containsExactly(
                        "3 jobs below its priority hold 8 GPUs, but their tenants do not allow"
                                + " preemption");
        JobId again = scene.submit(high(8));
        assertThat(scene.explainer().explain(again).spared().getFirst().lifts())
                .containsExactly("allow_preemption of the holding tenants is set to true");
    }

    @Test
    void whoeverCouldLeaveInVainIsTold() {
        Scene scene = scene("priority");
        scene.submit(low("hard", 5));
        JobId soft = scene.submit(low("soft", 3));
        assertThat(spared(scene, high(8)))
                .containsExactly(
                        "1 job below its priority holds 3 GPUs, but stopping it would not free"
                                + " enough capacity: at most 3 GPUs would be usable on one node",
                        "1 job below its priority holds 5 GPUs, but its tenant does not allow"
                                + " preemption");
        assertThat(scene.phase(soft)).isEqualTo("Starting");
    }

    /// GPUs that are being freed for a job of lower priority are not taken from it: the victims
    /// would have lost their work in vain. So a gang of higher priority waits, and is told so.
    @Test
    void gpusThatAreBeingFreedForALowerJobAreNamedAsMissing() {
        Scene scene = scene("priority");
        scene.join(aNode("n3").build());
        JobId stopping = scene.submit(low("soft", 8));
        scene.runs(stopping);
        JobId leaves = scene.submit(low("soft", 8));
        scene.runs(leaves);
        JobId middle = scene.submit(aJob().gpus(8).priority(100).model("A100"));
        assertThat(scene.phase(middle)).isEqualTo("Waiting");

        JobId gang = scene.submit(high(8).tasks(2));

        Explanation why = scene.explainer().explain(gang);
        RefusalCount missing = why.spared().getFirst();
        assertThat(missing.why())
                .isEqualTo(
                        "1 job below its priority holds 8 GPUs, but stopping it would not free"
                                + " enough capacity: 1 of 2 tasks would find a place; 8 GPUs are"
                                + " reserved for other jobs");
        assertThat(missing.reservedFor()).containsExactly(middle);
        assertThat(why.victims()).isEmpty();
        List<JobId> victims = List.of(stopping, leaves);
        assertThat(victims.stream().map(scene::phase))
                .as("only the victim of the lower job is stopped")
                .containsExactlyInAnyOrder("Stopping", "Running");
    }

    /// Stopping a job does not cool its GPUs at once, so nothing is stopped for GPUs that are hot.
    @Test
    void gpusThatAreTooHotAreNamedAsMissing() {
        Scene scene = scene("priority");
        JobId low = scene.submit(low("soft", 8));
        scene.runs(low);
        var hot = new GpuCondition(Heat.HOT, true, "");
        scene.tell(new Report.GpuChanged(new NodeId("n1"), 7, hot));

        JobId job = scene.submit(high(8));

        RefusalCount missing = scene.explainer().explain(job).spared().getFirst();
        assertThat(missing.why())
                .isEqualTo(
                        "1 job below its priority holds 8 GPUs, but stopping it would not free"
                                + " enough capacity: at most 7 GPUs would be usable on one node; 1"
                                + " GPU is too hot for new tasks");
        assertThat(missing.lifts()).containsExactly("its GPUs have cooled, or others are freed");
        assertThat(scene.phase(low)).isEqualTo("Running");
    }

    /// A reservation does not bind a job before its holder: such a job preempts and takes it.
    @Test
    void gpusReservedForALowerJobAreTakenByAHigherOne() {
        Scene scene = scene("priority");
        scene.submit(low("hard", 4));
        JobId soft = scene.submit(low("soft", 4));
        JobId reserved = scene.submit(low("soft", 8));
        assertThat(scene.explainer().explain(reserved).reserved()).isNotNull();

        JobId job = scene.submit(high(4));

        assertThat(scene.phase(soft)).isEqualTo("Stopping");
        assertThat(scene.explainer().explain(job).summary())
                .isEqualTo("room is being made on n1 by stopping 1 other job");
    }

    @Test
    void whereNobodyCountsForLessNothingIsTold() {
        Scene scene = scene("priority");
        scene.submit(high(8));
        assertThat(spared(scene, high(8))).isEmpty();
        assertThat(spared(scene, low("soft", 1))).isEmpty();
    }

    @Test
    void thatPreemptionIsOffIsTold() {
        Scene scene = scene("priority", false);
        scene.submit(low("soft", 8));
        assertThat(spared(scene, high(4)))
                .containsExactly(
                        "1 job below its priority holds 8 GPUs, but preemption is disabled");
    }

    @Test
    void aPolicyThatKnowsNoPreemptionIsTold() {
        Scene scene = scene("fifo");
        scene.submit(low("soft", 8));
        assertThat(spared(scene, high(4)))
                .containsExactly(
                        "1 job below its priority holds 8 GPUs, but this policy does not preempt"
                                + " jobs");
    }

    @Test
    void aTenantThatMayNotPreemptIsTold() {
        Scene scene = scene("priority");
        scene.tell(new Command.PutTenant(meek(), true, "tester"));
        scene.submit(low("soft", 8));
        assertThat(spared(scene, high(4).of("meek")))
                .containsExactly(
                        "1 job below its priority holds 8 GPUs, but the tenant of the waiting job"
                                + " may not preempt others");
    }

    private static Tenant meek() {
        return tenant("meek", 0, new PreemptionRules(true, false, 0));
    }

    private static Tenant tenant(String name, int guaranteed, PreemptionRules rules) {
        return new Tenant(
                new TenantId(name),
                null,
                new Limits(guaranteed * 1000L, 0, 0, 0, 0),
                Limits.NONE,
                1,
                rules,
                true,
                Labels.NONE);
    }

    @Test
    void whatARunEarnedByWaitingIsToldWithItsEnd() {
        Scene scene = scene("priority");
        JobId busy = scene.submit(high(8));
        JobId elsewhere = scene.submit(aJob().gpus(8).priority(500).model("V100"));
        scene.runs(busy);
        scene.runs(elsewhere);
        JobId old = scene.submit(low("soft", 8));
        JobId useless = scene.submit(aJob().of("soft").gpus(8).priority(10).model("V100"));
        scene.pass(Duration.ofMinutes(58));
        scene.completes(elsewhere);
        scene.runs(useless);
        scene.pass(Duration.ofMinutes(2));
        scene.completes(busy);
        scene.runs(old);
        JobId job = scene.submit(high(8));
        RefusalCount why = scene.explainer().explain(job).spared().getFirst();
        assertThat(why.why())
                .isEqualTo(
                        "1 job below its priority holds 8 GPUs, but its waiting time still protects"
                                + " it");
        assertThat(why.lifts()).containsExactly("it is 2026-01-01T01:06:00Z");
    }

    @Test
    void whoeverIsBeingStoppedSaysSoWhateverItsTenantAllows() {
        Scene scene = scene("priority");
        JobId low = scene.submit(low("hard", 8));
        scene.runs(low);
        scene.tell(new Command.Cancel(low, "me"));
        assertThat(spared(scene, high(8)))
                .containsExactly(
                        "1 job below its priority holds 8 GPUs, but it is being stopped already");
    }

    @Test
    void whoeverWasStoppedOftenEnoughIsTold() {
        Scene scene = scene("priority");
        Tenant once = tenant("once", 0, new PreemptionRules(true, true, 1));
        scene.tell(new Command.PutTenant(once, true, "tester"));
        JobId low = scene.submit(low("once", 8));
        scene.runs(low);
        JobId first = scene.submit(high(8));
        scene.ends(low, Exit.How.STOPPED, 0);
        scene.runs(first);
        scene.completes(first);
        scene.runs(low);
        assertThat(spared(scene, high(8)))
                .containsExactly(
                        "1 job below its priority holds 8 GPUs, but it was stopped as often as its"
                                + " tenant allows");
    }

    @Test
    void whoeverIsAboutToEndIsTold() {
        Scene scene = scene("priority");
        Duration length = Duration.ofMinutes(10);
        JobId low = scene.submit(low("soft", 8).expecting(length, length));
        scene.runs(low);
        scene.pass(length.minusSeconds(5));
        assertThat(spared(scene, high(8)))
                .containsExactly(
                        "1 job below its priority holds 8 GPUs, but it is about to end by itself");
    }

    @Test
    void thatPreemptionIsOffIsNoReasonUnderAPolicyThatKnowsNone() {
        Scene scene = scene("fifo", false);
        scene.submit(low("soft", 8));
        assertThat(spared(scene, high(4)))
                .containsExactly(
                        "1 job below its priority holds 8 GPUs, but this policy does not preempt"
                                + " jobs");
    }

    @Test
    void underFairShareWhoeverIsGuaranteedWhatItHoldsStays() {
        Scene scene = scene("fair");
        for (String name : List.of("a", "b", "c")) {
            Tenant tenant = tenant(name, 4, PreemptionRules.DEFAULT);
            scene.tell(new Command.PutTenant(tenant, true, "tester"));
        }
        scene.submit(low("b", 4));
        scene.submit(low("c", 4));
        assertThat(spared(scene, high(4).of("a")))
                .containsExactly(
                        "2 jobs below it hold 8 GPUs, but their tenants would fall below their"
                                + " guarantees without them");
    }

    @Test
    void underFairShareOthersLeaveOnlyForAGuarantee() {
        Scene scene = scene("fair");
        scene.submit(low("soft", 8));
        assertThat(spared(scene, high(4)))
                .containsExactly(
                        "1 job below it holds 8 GPUs, but it belongs to another tenant, and no"
                                + " guarantee covers the waiting job against it");
    }

    @Test
    void underAnOrderThatPreemptsWhoComesLaterIsMeant() {
        Scene scene = scene("srtf");
        scene.submit(low("hard", 8).limit(Duration.ofHours(5)));
        assertThat(spared(scene, high(4).limit(Duration.ofHours(1))))
                .containsExactly(
                        "1 job after it by srtf holds 8 GPUs, but its tenant does not allow"
                                + " preemption");
    }
}
