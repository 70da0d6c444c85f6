package io.gpusched.core.explain;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.nodes.Trial;
import io.gpusched.core.state.ClusterState;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/// Which moves would let a waiting job start.
final class DefragmenterTest {
    /// Two nodes, each with four of eight GPUs in use.
    private static Scene halves(String tenant) {
        Scene scene = Scene.with(aNode("n1").build(), aNode("n2").build());
        scene.tenant("soft", 100, true);
        JobId filler = scene.submit(aJob().gpus(4));
        JobId first = scene.submit(aJob().of(tenant).gpus(4));
        JobId second = scene.submit(aJob().of(tenant).gpus(4));
        scene.runs(filler);
        scene.runs(first);
        scene.runs(second);
        scene.completes(filler);
        return scene;
    }

    @Test
    void aMoveIsToldWithWhatItCosts() {
        Scene scene = halves("soft");
        scene.pass(Duration.ofMinutes(10));
        JobId big = scene.submit(aJob().gpus(8).priority(1));
        DefragmentationAdvice defragmentationAdvice = scene.explainer().defragment();
        assertThat(defragmentationAdvice.job()).isEqualTo(big);
        assertThat(defragmentationAdvice.summary()).isEqualTo("1 move would let it start");
        assertThat(defragmentationAdvice.lostMilliGpuSeconds()).isEqualTo(4000 * 600);
        assertThat(Objects.requireNonNull(defragmentationAdvice.place()).slots()).hasSize(1);
        assertThat(scene.phase(big)).isEqualTo("Waiting");
    }

    @Test
    void nobodyIsMovedWhoseTenantDoesNotAllowIt() {
        Scene scene = halves("default");
        JobId big = scene.submit(aJob().gpus(8).priority(1));
        DefragmentationAdvice defragmentationAdvice = scene.explainer().defragment(big);
        assertThat(defragmentationAdvice.moves()).isEmpty();
        assertThat(defragmentationAdvice.place()).isNull();
        assertThat(defragmentationAdvice.summary())
                .isEqualTo("no moves were found that would let it start");
    }

    @Test
    void withoutWaitingJobsThereIsNothingToAdvise() {
        Scene scene = halves("soft");
        assertThat(scene.explainer().defragment().job()).isNull();
        assertThat(scene.explainer().defragment(new JobId(99)).summary())
                .isEqualTo("the job does not wait");
    }

    @Test
    void adviceIsLegalAndSufficientWhateverTheCluster() {
        int helped = 0;
        for (long seed = 1; seed <= 60; seed++) {
            helped += check(seed) ? 1 : 0;
        }
        assertThat(helped).as("clusters in which moves were found").isGreaterThan(10);
    }

    private static boolean check(long seed) {
        Scene scene = fragmented(new SplittableRandom(seed));
        ClusterState state = scene.engine().state();
        long digest = scene.engine().digest();
        DefragmentationAdvice defragmentationAdvice = scene.explainer().defragment();
        assertThat(scene.engine().digest()).as("seed %s", seed).isEqualTo(digest);
        long cost = 0;
        var seen = new LinkedHashSet<JobId>();
        try (Trial trial = state.trial()) {
            for (DefragmentationAdvice.Move move : defragmentationAdvice.moves()) {
                Job job = scene.job(move.job());
                Run run = Objects.requireNonNull(job.phase().run());
                assertThat(seen.add(move.job())).as("seed %s: moved once", seed).isTrue();
                assertThat(job.tenant().name()).as("seed %s", seed).isEqualTo("soft");
                assertThat(move.from()).isEqualTo(run.on());
                assertThat(move.to().slots()).hasSameSizeAs(run.on().slots());
                move.to().slots().forEach(slot -> assertFree(state, slot, seed));
                move.to().slots().forEach(trial::place);
                trial.evict(run);
                cost += move.lostMilliGpuSeconds();
            }
            if (defragmentationAdvice.place() != null) {
                for (Slot slot : defragmentationAdvice.place().slots()) {
                    assertFree(state, slot, seed);
                    trial.place(slot);
                }
            }
        }
        assertThat(defragmentationAdvice.lostMilliGpuSeconds()).as("seed %s", seed).isEqualTo(cost);
        assertThat(scene.engine().digest()).as("seed %s", seed).isEqualTo(digest);
        return !defragmentationAdvice.moves().isEmpty();
    }

    private static void assertFree(ClusterState state, Slot slot, long seed) {
        NodeView node = Objects.requireNonNull(state.nodes().find(slot.node()));
        assertThat(slot.grant().mask() & ~node.idleGpus()).as("seed %s", seed).isZero();
    }

    /// Full nodes of which some jobs have ended, and a gang that waits.
    private static Scene fragmented(SplittableRandom random) {
        var nodes = new ArrayList<Node>();
        for (int i = 0; i < 6; i++) {
            nodes.add(aNode("n" + i).build());
        }
        Scene scene = Scene.with(nodes.toArray(Node[]::new));
        scene.tenant("soft", 1000, true);
        var jobs = new ArrayList<JobId>();
        for (int i = 0; i < 40; i++) {
            String tenant = random.nextInt(4) == 0 ? "default" : "soft";
            jobs.add(scene.submit(aJob().of(tenant).gpus(1 + random.nextInt(4))));
        }
        var running = new ArrayList<JobId>();
        for (JobId job : List.copyOf(jobs)) {
            if (scene.phase(job).equals("Starting")) {
                scene.runs(job);
                running.add(job);
            } else {
                scene.tell(new Command.Cancel(job, "me"));
            }
        }
        for (JobId job : running) {
            if (random.nextInt(5) < 2) {
                scene.ends(job, Exit.How.EXITED, 0);
            }
        }
        scene.pass(Duration.ofSeconds(random.nextInt(1000)));
        scene.submit(aJob().gpus(4 + random.nextInt(5)).tasks(1 + random.nextInt(2)).priority(1));
        return scene;
    }
}
