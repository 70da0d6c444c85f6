package io.gpusched.core.policy.gate;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.event.Command;
import io.gpusched.core.explain.Explainer;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;

/// Which job gets a quota first when several jobs of a tenant wait for it.
final class QuotaOrderTest {
    private static JobBuilder ofTeam(int gpus) {
        return aJob().of("team").gpus(gpus);
    }

    private static Scene teamWithEightOfSixteen(String policy) {
        var scene = new Scene(policy);
        scene.join(aNode("n1").build(), aNode("n2").build());
        scene.tenant("team", 8, false);
        return scene;
    }

    @Test
    void aStreamOfSmallJobsDoesNotStarveALargeOneOfTheirTenant() {
        Scene scene = teamWithEightOfSixteen("priority");
        var small = new ArrayDeque<JobId>();
        for (int i = 0; i < 8; i++) {
            small.add(scene.submit(ofTeam(1)));
        }
        JobId large = scene.submit(ofTeam(8));
        for (int i = 0; i < 8; i++) {
            assertThat(scene.phase(large)).isEqualTo("Waiting");
            small.add(scene.submit(ofTeam(1)));
            scene.completes(small.removeFirst());
        }
        assertThat(scene.phase(large)).isEqualTo("Starting");
        assertThat(small).allMatch(job -> scene.phase(job).equals("Waiting"));
        scene.completes(large);
        assertThat(small).allMatch(job -> scene.phase(job).equals("Starting"));
    }

    @Test
    void aJobThatTakesNothingOfWhatTheFirstNeedsMayPass() {
        Scene scene = teamWithEightOfSixteen("priority");
        scene.submit(ofTeam(4));
        JobId first = scene.submit(ofTeam(8));
        JobId second = scene.submit(ofTeam(1));
        JobId other = scene.submit(aJob().gpus(1));
        JobId without = scene.submit(ofTeam(0));
        assertThat(scene.phase(without)).isEqualTo("Starting");
        assertThat(scene.phase(other)).as("another tenant").isEqualTo("Starting");
        assertThat(scene.phase(second)).isEqualTo("Waiting");
        assertThat(scene.explainer().explain(second).summary())
                .isEqualTo(
                        "waits behind "
                                + first
                                + " of the same tenant, which needs the quota first");
    }

    @Test
    void aFollowerGivesTheSameReason() {
        Scene scene = teamWithEightOfSixteen("priority");
        scene.submit(ofTeam(4));
        scene.submit(ofTeam(8));
        JobId second = scene.submit(ofTeam(1));
        var follower = new Engine(scene.engine().policy(), EngineSettings.DEFAULT);
        scene.journal().replay(0, follower::apply);
        assertThat(new Explainer(follower, scene.now()).explain(second))
                .isEqualTo(scene.explainer().explain(second));
    }

    /// The group of 8 GPUs is older than the group of 6, but its first job is younger.
    @Test
    void aRestoredSchedulerNamesTheSameJob() {
        Scene scene = teamWithEightOfSixteen("priority");
        scene.submit(ofTeam(4));
        JobId gone = scene.submit(ofTeam(8));
        JobId first = scene.submit(ofTeam(6));
        scene.submit(ofTeam(8));
        JobId waits = scene.submit(ofTeam(1));
        scene.tell(new Command.Cancel(gone, "me"));
        Engine engine = scene.engine();
        var restored =
                Engine.restore(
                        engine.image(),
                        engine.learner().image(),
                        engine.policy(),
                        EngineSettings.DEFAULT);
        var explanation = Objects.requireNonNull(scene.explainer().explain(waits));
        assertThat(explanation.summary()).contains("waits behind " + first + " ");
        assertThat(new Explainer(restored, scene.now()).explain(waits)).isEqualTo(explanation);
    }

    @Test
    void whenTheFirstNoLongerWaitsTheOthersGoOnAtOnce() {
        for (int how = 0; how < 3; how++) {
            Scene scene = teamWithEightOfSixteen("priority");
            scene.submit(ofTeam(4));
            JobId first = scene.submit(ofTeam(8));
            JobId second = scene.submit(ofTeam(1));
            assertThat(scene.phase(second)).isEqualTo("Waiting");
            scene.tell(
                    List.of(
                                    new Command.Cancel(first, "me"),
                                    new Command.Hold(first, "me"),
                                    new Command.Reprioritise(first, 1, "me"))
                            .get(how));
            assertThat(scene.phase(second)).as("way %s", how).isEqualTo("Starting");
        }
    }

    @Test
    void aPolicyThatSkipsBlockedJobsSkipsJobsThatWaitForQuota() {
        Scene scene = teamWithEightOfSixteen("priority-skip");
        scene.submit(ofTeam(4));
        scene.submit(ofTeam(8));
        assertThat(scene.phase(scene.submit(ofTeam(1)))).isEqualTo("Starting");
    }

    @Test
    void aTeamThatFilledItsOwnQuotaDoesNotHoldUpItsSiblings() {
        Scene scene = Scene.with(aNode("n1").build(), aNode("n2").build());
        put(scene, "all", null, 12);
        put(scene, "one", "all", 4);
        put(scene, "other", "all", 12);
        scene.submit(aJob().of("one").gpus(4));
        JobId first = scene.submit(aJob().of("one").gpus(4));
        JobId sibling = scene.submit(aJob().of("other").gpus(6));
        JobId later = scene.submit(aJob().of("other").gpus(1));
        assertThat(scene.phase(first)).isEqualTo("Waiting");
        assertThat(scene.phase(sibling)).isEqualTo("Starting");
        assertThat(scene.phase(later)).as("the quota of all is short now").isEqualTo("Waiting");
        assertThat(Objects.requireNonNull(scene.explainer().explain(later)).summary())
                .contains("behind another job under all");
        scene.completes(sibling);
        assertThat(scene.phase(later)).isEqualTo("Starting");
    }

    private static void put(Scene scene, String name, @Nullable String parent, long gpus) {
        scene.tell(
                new Command.PutTenant(
                        new Tenant(
                                new TenantId(name),
                                parent == null ? null : new TenantId(parent),
                                Limits.ZERO,
                                new Limits(
                                        gpus * 1000,
                                        Limits.UNLIMITED,
                                        Limits.UNLIMITED,
                                        Limits.UNLIMITED,
                                        Limits.UNLIMITED),
                                1,
                                PreemptionRules.DEFAULT,
                                true,
                                Labels.NONE),
                        true,
                        "me"));
    }
}
