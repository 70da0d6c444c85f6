package io.gpusched.core.policy.preempt;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.nodes.NodeView;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;

/// Who has to leave, against the rule told plainly: everybody below leaves, and then, the most
/// precious first, everybody stays without whom the job fits as well.
final class VictimsTest {
    private static final int SEEDS = 300;

    private static Scene fleet(Random random) {
        var nodes = new Node[2 + random.nextInt(5)];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = aNode("n" + i).gpus(4).label("rack", "r" + i % 2).build();
        }
        Scene scene = Scene.with(nodes);
        scene.tell(tenant("weak", true));
        scene.tell(tenant("firm", false));
        for (int i = 0; i < 5 * nodes.length; i++) {
            String tenant = random.nextInt(10) == 0 ? "firm" : "weak";
            int gpus = 1 + random.nextInt(3);
            int tasks = random.nextInt(4) == 0 ? 2 : 1;
            JobBuilder asked =
                    aJob().of(tenant).gpus(gpus).tasks(tasks).priority(10 * random.nextInt(4));
            JobId job = scene.submit(random.nextInt(3) == 0 ? asked.saving() : asked);
            if (scene.job(job).phase().run() == null) {
                scene.tell(new Command.Cancel(job, "tester"));
            } else {
                scene.runs(job);
            }
            scene.pass(Duration.ofSeconds(1 + random.nextInt(200)));
        }
        return scene;
    }

    private static Command tenant(String name, boolean mayBePreempted) {
        var rules = new PreemptionRules(mayBePreempted, false, 0);
        var id = new TenantId(name);
        return new Command.PutTenant(
                new Tenant(id, null, Limits.ZERO, Limits.NONE, 1, rules, true, Labels.NONE),
                true,
                "tester");
    }

    @Test
    void nobodyLeavesWhoCouldStay() {
        int made = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            Scene scene = fleet(random);
            int tasks = 1 + random.nextInt(6);
            int gpus = 1 + random.nextInt(4);
            boolean oneRack = random.nextInt(3) == 0;
            JobBuilder job = aJob().tasks(tasks).gpus(gpus).priority(25);
            List<JobId> expected = expected(scene, tasks, gpus, oneRack && tasks > 1);
            JobId gang = scene.submit(oneRack ? job.within("rack") : job);
            var left = new TreeSet<JobId>();
            for (Job other : scene.engine().state().runs().byExpectedEnd()) {
                if (other.phase() instanceof Phase.Stopping) {
                    left.add(other.id());
                }
            }
            assertThat(left).as("seed %s, %s", seed, gang).isEqualTo(new TreeSet<>(expected));
            made += left.isEmpty() ? 0 : 1;
        }
        assertThat(made).as("times that room was made at all").isGreaterThan(SEEDS / 5);
    }

    @Test
    void amongEqualsThatSaveTheirWorkThatWithTheYoungestCheckpointLeaves() {
        Scene scene = Scene.with(aNode("n1").gpus(3).build());
        scene.tell(tenant("weak", true));
        JobId lastSaved50MinutesAgo = started(scene, aJob().of("weak").priority(1));
        scene.pass(Duration.ofMinutes(15));
        JobId lastSaved5MinutesAgo = started(scene, aJob().of("weak").priority(1).saving());
        scene.pass(Duration.ofMinutes(15));
        JobId lastSaved20MinutesAgo = started(scene, aJob().of("weak").priority(1).saving());
        scene.pass(Duration.ofMinutes(20));
        scene.submit(aJob().gpus(1).priority(2));
        assertThat(scene.phase(lastSaved5MinutesAgo)).isEqualTo("Stopping");
        assertThat(scene.phase(lastSaved20MinutesAgo)).isEqualTo("Running");
        assertThat(scene.phase(lastSaved50MinutesAgo)).isEqualTo("Running");
        scene.submit(aJob().gpus(1).priority(2));
        assertThat(scene.phase(lastSaved20MinutesAgo)).isEqualTo("Stopping");
    }

    @Test
    void whatIsLostIsWhatWasDoneSinceTheLastCheckpoint() {
        var saves = new Interruption(Duration.ZERO, true, true);
        var doesNot = new Interruption(Duration.ZERO, false, true);
        Duration every = Duration.ofMinutes(30);
        assertThat(saves.lost(Duration.ofMinutes(29), every)).isEqualTo(Duration.ofMinutes(29));
        assertThat(saves.lost(Duration.ofMinutes(30), every)).isZero();
        assertThat(saves.lost(Duration.ofMinutes(95), every)).isEqualTo(Duration.ofMinutes(5));
        assertThat(doesNot.lost(Duration.ofMinutes(95), every)).isEqualTo(Duration.ofMinutes(95));
        assertThat(saves.lost(Duration.ofMinutes(95), Duration.ZERO))
                .as("saved as it stops")
                .isZero();
        assertThat(doesNot.lost(Duration.ofMinutes(-1), every)).isZero();
    }

    private static JobId started(Scene scene, JobBuilder job) {
        JobId id = scene.submit(job);
        scene.runs(id);
        return id;
    }

    private static List<JobId> expected(Scene scene, int tasks, int gpus, boolean oneRack) {
        Map<String, Integer> free = new HashMap<>();
        for (NodeView node : scene.engine().state().nodes().all()) {
            free.put(node.facts().id().name(), Long.bitCount(node.idleGpus()));
        }
        if (fits(scene, free, tasks, gpus, oneRack)) {
            return List.of();
        }
        List<Job> leaving = new ArrayList<>();
        for (Job job : scene.engine().state().runs().byExpectedEnd()) {
            if (job.tenant().name().equals("weak") && job.priority() < 25) {
                leaving.add(job);
            }
        }
        leaving.sort(
                Comparator.comparingInt(Job::priority)
                        .thenComparingLong(job -> loss(scene, job))
                        .thenComparing(Job::id, Comparator.reverseOrder()));
        leaving.forEach(job -> change(free, job, 1));
        if (!fits(scene, free, tasks, gpus, oneRack)) {
            return List.of();
        }
        var needed = new ArrayList<JobId>();
        for (Job job : leaving.reversed()) {
            change(free, job, -1);
            if (!fits(scene, free, tasks, gpus, oneRack)) {
                change(free, job, 1);
                needed.add(job.id());
            }
        }
        return needed;
    }

    private static long loss(Scene scene, Job job) {
        var started = Objects.requireNonNull(job.phase().startedAt());
        long seconds = Duration.between(started, scene.now()).toSeconds();
        boolean saves = job.spec().onLoss().checkpoints();
        return job.spec().milliGpus() * (saves ? seconds % 1800 : seconds);
    }

    private static void change(Map<String, Integer> free, Job job, int sign) {
        for (Slot slot : Objects.requireNonNull(job.phase().run()).on().slots()) {
            free.merge(slot.node().name(), sign * Long.bitCount(slot.grant().mask()), Integer::sum);
        }
    }

    private static boolean fits(
            Scene scene, Map<String, Integer> free, int tasks, int gpus, boolean oneRack) {
        Map<String, Integer> room = new HashMap<>();
        for (NodeView node : scene.engine().state().nodes().all()) {
            String rack = oneRack ? node.facts().labels().value("rack") : "";
            room.merge(rack, free.getOrDefault(node.facts().id().name(), 0) / gpus, Integer::sum);
        }
        return room.values().stream().anyMatch(sum -> sum >= tasks);
    }
}
