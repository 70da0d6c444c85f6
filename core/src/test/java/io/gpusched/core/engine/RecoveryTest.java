package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.TaskState;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

/// Odd turns of fate after which a scheduler, and its replayed twin, must still decide alike.
final class RecoveryTest {
    @Test
    void aJobThatWasPostponedAndThenMadeRoomForStandsInLineOnceInReplay() {
        Scene scene = Scene.with(aNode("n1").gpus(1).build());
        scene.tenant("batch", 100, true);
        JobId urgent = scene.submit(aJob().priority(1000));
        scene.tell(new Report.StartRefused(scene.run(urgent).id(), 0, "no", Duration.ofSeconds(1)));
        JobId soft = scene.submit(aJob().of("batch").priority(1));
        scene.runs(soft);
        scene.pass(Duration.ofMinutes(1));
        assertThat(scene.phase(soft)).isEqualTo("Stopping");
        scene.ends(soft, Exit.How.STOPPED, 143);
        scene.runs(urgent);
        scene.completes(urgent);
        scene.pass(Duration.ofMinutes(1));

        Engine twin = replayed(scene);
        assertThat(twin.image()).isEqualTo(scene.engine().image());
        twin.takeTurns(twin.begin(scene.now()));
        assertThat(twin.state().queue().classes()).isZero();
    }

    @Test
    void aNodeDescribedSmallerThanWhatRunsOnItIsBorne() {
        Scene scene = Scene.with(aNode("n1").build());
        JobId job = scene.submit(aJob().gpus(8).cores(60));
        scene.runs(job);
        var seen = new Report.Seen(scene.run(job).id(), 0, new TaskState.Running());
        var agent = new Agent(new AgentId("agent"), Agent.Custody.SELF_FENCING, 0);
        var smaller = aNode("n1").gpus(4).cores(32).build();
        scene.tell(new Report.Hello(agent, List.of(smaller), List.of(seen)));
        JobId next = scene.submit(aJob().gpus(4));
        assertThat(scene.phase(next)).isEqualTo("Waiting");
        assertThat(restored(scene).digest()).isEqualTo(scene.engine().digest());
        scene.completes(job);
        assertThat(scene.where(next)).isEqualTo("n1[0-3]");
    }

    @Test
    void anotherPolicyWhileRoomIsMadePutsNobodyInLineTwice() {
        Scene scene = Scene.with(aNode("n1").gpus(1).build());
        scene.tenant("batch", 100, true);
        JobId soft = scene.submit(aJob().of("batch").priority(1));
        scene.runs(soft);
        JobId urgent = scene.submit(aJob().priority(1000));
        scene.tell(new Command.SetPolicy("fifo", "me"));
        scene.ends(soft, Exit.How.STOPPED, 143);
        assertThat(scene.phase(urgent)).isEqualTo("Starting");
        scene.completes(urgent);
        assertThat(scene.phase(soft)).isEqualTo("Starting");
    }

    @Test
    void nobodyIsStoppedForMoreThanTheQuotaLetsStart() {
        Scene scene = Scene.with(aNode("n1").build());
        scene.tenant("batch", 100, true);
        scene.tenant("small", 2, false);
        for (int i = 0; i < 4; i++) {
            scene.runs(scene.submit(aJob().of("batch").gpus(2).priority(1)));
        }
        for (int i = 0; i < 4; i++) {
            scene.submit(aJob().of("small").gpus(2).priority(1000));
        }
        long stopping = 0;
        for (long number = 1; number <= 4; number++) {
            stopping += scene.phase(new JobId(number)).equals("Stopping") ? 1 : 0;
        }
        assertThat(stopping).isEqualTo(1);
    }

    @Test
    void whatATenantHoldsFollowsItToAnotherParent() {
        Scene scene = Scene.with(aNode("n1").build());
        scene.tenant("old", 8, false);
        scene.tenant("new", 8, false);
        put(scene, "old");
        JobId job = scene.submit(aJob().of("child").gpus(2));
        assertThat(gpus(scene, "old")).isEqualTo(2000);
        put(scene, "new");
        assertThat(gpus(scene, "old")).isZero();
        assertThat(gpus(scene, "new")).isEqualTo(2000);
        assertThat(restored(scene).digest()).isEqualTo(scene.engine().digest());
        scene.completes(job);
        assertThat(gpus(scene, "new")).isZero();
    }

    @Test
    void deadlinesSurviveARestore() {
        Scene scene = Scene.with(aNode("n1").build());
        JobId job = scene.submit(aJob());
        Engine engine = restored(scene);
        var later = scene.now().plus(Duration.ofMinutes(6));
        assertThat(engine.wakeAfter(scene.now())).isNotNull();
        var cycleResult = engine.begin(later).end();
        assertThat(cycleResult.events()).isNotEmpty();
        assertThat(scene.phase(job)).isEqualTo("Starting");
    }

    @Test
    void aDemandNoNodeCouldEverMeetBlocksNobody() {
        var scene = new Scene("fifo-strict");
        scene.join(aNode("n1").build());
        JobId absurd = scene.submit(aJob().cores(1000));
        JobId next = scene.submit(aJob());
        assertThat(scene.phase(absurd)).isEqualTo("Waiting");
        assertThat(scene.phase(next)).isEqualTo("Starting");
    }

    private static Engine replayed(Scene scene) {
        var twin = new Engine(scene.engine().policy(), EngineSettings.DEFAULT);
        scene.journal().replay(0, twin::apply);
        return twin;
    }

    private static Engine restored(Scene scene) {
        return Engine.restore(
                scene.engine().image(), scene.engine().policy(), EngineSettings.DEFAULT);
    }

    private static long gpus(Scene scene, String tenant) {
        return scene.engine().state().tenants().usage(new TenantId(tenant)).milliGpus();
    }

    private static void put(Scene scene, String parent) {
        scene.tell(
                new Command.PutTenant(
                        new Tenant(
                                new TenantId("child"),
                                new TenantId(parent),
                                Limits.ZERO,
                                Limits.NONE,
                                1,
                                PreemptionRules.DEFAULT,
                                true,
                                Labels.NONE),
                        scene.engine().state().tenants().find(new TenantId("child")) == null,
                        "me"));
    }
}
