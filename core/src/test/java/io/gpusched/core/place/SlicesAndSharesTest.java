package io.gpusched.core.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.MigGpuModel;
import io.gpusched.core.model.MigSlot;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/// Slices and shares of GPUs, and connected sets of them, as the whole cell places them.
final class SlicesAndSharesTest {
    private static NodeBuilder a100(String config) {
        return NodeBuilder.aNode("n1").gpus(1).model("A100-40GB").label(MigConfig.LABEL, config);
    }

    private static JobBuilder slice(String profile) {
        return JobBuilder.aJob().asking(GpuRequest.slices(profile, 1));
    }

    private static JobBuilder share(int percent, int memoryMiB) {
        return JobBuilder.aJob().asking(GpuRequest.shares(percent * 10, memoryMiB, 1));
    }

    private static int running(Scene scene, JobBuilder job, int tries) {
        int running = 0;
        for (int i = 0; i < tries; i++) {
            running += scene.phase(scene.submit(job)).equals("Starting") ? 1 : 0;
        }
        return running;
    }

    @ParameterizedTest
    @CsvSource({"1g.5gb,7", "2g.10gb,3", "3g.20gb,2", "4g.20gb,1", "7g.40gb,1", "1g.10gb,4"})
    void anA100HoldsAsManySlicesAsItShould(String profile, int most) {
        assertThat(running(Scene.with(a100("mixed").build()), slice(profile), 9)).isEqualTo(most);
        assertThat(running(Scene.with(a100("all-" + profile).build()), slice(profile), 9))
                .isEqualTo(most);
    }

    @Test
    void theBalancedMixFits() {
        Scene scene = Scene.with(a100("mixed").build());
        for (String profile : List.of("3g.20gb", "2g.10gb", "1g.5gb", "1g.5gb")) {
            assertThat(scene.phase(scene.submit(slice(profile)))).isEqualTo("Starting");
        }
        assertThat(scene.phase(scene.submit(slice("1g.5gb")))).isEqualTo("Waiting");
        Scene cut = Scene.with(a100("all-balanced").build());
        for (String profile : List.of("1g.5gb", "1g.5gb", "2g.10gb", "3g.20gb")) {
            assertThat(cut.phase(cut.submit(slice(profile)))).isEqualTo("Starting");
        }
        assertThat(cut.phase(cut.submit(JobBuilder.aJob()))).isEqualTo("Waiting");
    }

    @Test
    void thereIsOneMediaExtension() {
        assertThat(running(Scene.with(a100("mixed").build()), slice("1g.5gb+me"), 3)).isEqualTo(1);
    }

    @Test
    void aNodeThatSaysNothingIsNotCut() {
        Scene scene = Scene.with(NodeBuilder.aNode("n1").model("A100-40GB").build());
        JobId job = scene.submit(slice("1g.5gb"));
        assertThat(scene.explainer().explain(job).summary()).contains("does not allow");
    }

    @Test
    void aSecondGpuIsCutOnlyWhenTheFirstIsFull() {
        Scene scene = Scene.with(a100("mixed").gpus(2).build());
        for (int i = 0; i < 7; i++) {
            scene.submit(slice("1g.5gb"));
        }
        JobId whole = scene.submit(JobBuilder.aJob());
        assertThat(scene.where(whole)).isEqualTo("n1[1]");
        assertThat(scene.phase(scene.submit(slice("1g.5gb")))).isEqualTo("Waiting");
    }

    @Test
    void sharesPackAndNeverMix() {
        Scene scene = Scene.with(NodeBuilder.aNode("n1").gpus(2).build());
        assertThat(scene.where(scene.submit(share(60, 0)))).isEqualTo("n1[0]@60%");
        assertThat(scene.where(scene.submit(share(50, 0)))).isEqualTo("n1[1]@50%");
        assertThat(scene.where(scene.submit(share(40, 0)))).isEqualTo("n1[0]@40%");
        assertThat(scene.phase(scene.submit(JobBuilder.aJob()))).isEqualTo("Waiting");
        assertThat(scene.where(scene.submit(share(10, 60_000)))).isEqualTo("Waiting");
        assertThat(scene.where(scene.submit(share(10, 40_000)))).isEqualTo("n1[1]@10%");
    }

    /// A GPU fell off the bus, or its driver tells less memory than before; its tasks still run.
    @Test
    void aNodeDescribedSmallerKeepsItsTasksAlsoAfterARestore() {
        Scene scene = Scene.with(a100("mixed").gpus(2).build());
        JobId whole = scene.submit(JobBuilder.aJob());
        JobId cut = scene.submit(slice("3g.20gb"));
        scene.tell(new Report.NodeDescribed(a100("mixed").gpus(1).build()));
        assertThat(scene.where(cut)).startsWith("n1[1");
        restored(scene);
        scene.completes(cut);
        scene.completes(whole);
        assertThat(scene.phase(cut)).isEqualTo("COMPLETED completed");

        Scene shared = Scene.with(NodeBuilder.aNode("n1").gpus(1).build());
        shared.submit(share(50, 40_000).priority(1));
        shared.submit(share(50, 40_000).priority(1));
        shared.tell(
                new Report.NodeDescribed(
                        NodeBuilder.aNode("n1").gpus(1).model("A100-40GB").build()));
        restored(shared);
        JobId waits = shared.submit(share(50, 10_000).priority(9));
        assertThat(shared.phase(waits)).isEqualTo("Waiting");
    }

    private static void restored(Scene scene) {
        Engine again =
                Engine.restore(
                        scene.engine().image(),
                        Objects.requireNonNull(
                                Policies.named("priority", EngineSettings.DEFAULT.policy())),
                        EngineSettings.DEFAULT);
        assertThat(again.digest()).isEqualTo(scene.engine().digest());
    }

    @Test
    void whatWasAskedOfConnectionsIsKept() {
        Scene scene = Scene.with(NodeBuilder.aNode("n1").model("V100-32GB").wired().build());
        var four = new GpuRequest.Whole(4, 0, Locality.NVLINK, 0);
        scene.submit(JobBuilder.aJob());
        JobId placed = scene.submit(JobBuilder.aJob().asking(four));
        assertThat(scene.where(placed)).isEqualTo("n1[4-7]");
        JobId waits = scene.submit(JobBuilder.aJob().asking(four));
        assertThat(scene.phase(waits)).isEqualTo("Waiting");
    }

    @Test
    void noMixIsEverIllegal() {
        for (long seed = 1; seed <= 20; seed++) {
            comeAndGo(seed);
        }
    }

    private static void comeAndGo(long seed) {
        var random = new Random(seed);
        Scene scene =
                Scene.with(
                        a100("mixed").gpus(2).build(),
                        NodeBuilder.aNode("n2")
                                .gpus(2)
                                .model("A30-24GB")
                                .label(MigConfig.LABEL, "dynamic")
                                .build(),
                        NodeBuilder.aNode("n3")
                                .gpus(2)
                                .model("H100-80GB")
                                .label(MigConfig.LABEL, "all-balanced")
                                .build());
        var running = new ArrayList<JobId>();
        List<String> names = MigGpuModel.profileNames();
        for (int step = 0; step < 150; step++) {
            GpuRequest request =
                    switch (random.nextInt(4)) {
                        case 0 -> GpuRequest.whole(1, 0);
                        case 1 -> GpuRequest.shares(1 + random.nextInt(999), 0, 1);
                        default ->
                                GpuRequest.slices(
                                        names.get(random.nextInt(names.size())),
                                        1 + random.nextInt(2));
                    };
            JobId job = scene.submit(JobBuilder.aJob().asking(request));
            if (scene.phase(job).equals("Starting")) {
                scene.runs(job);
                running.add(job);
            } else {
                scene.tell(new io.gpusched.core.event.Command.Cancel(job, "tester"));
            }
            if (running.size() > 6 && random.nextBoolean()) {
                scene.completes(running.remove(random.nextInt(running.size())));
            }
            check(scene, running, "seed " + seed + " step " + step);
        }
    }

    /// What is held, told again from nothing but the placements.
    private static void check(Scene scene, List<JobId> running, String when) {
        var whole = new int[3][2];
        var milli = new int[3][2];
        var slots = new ArrayList<List<MigSlot>>();
        for (int i = 0; i < 6; i++) {
            slots.add(new ArrayList<>());
        }
        for (JobId job : running) {
            var slot = scene.run(job).on().slots().getFirst();
            int node = slot.node().name().charAt(1) - '1';
            for (int gpu = 0; gpu < 2; gpu++) {
                boolean touched = (slot.grant().mask() >>> gpu & 1) == 1;
                whole[node][gpu] += touched && slot.grant() instanceof Grant.Whole ? 1 : 0;
                milli[node][gpu] +=
                        touched && slot.grant() instanceof Grant.Shares s ? s.milli() : 0;
            }
            if (slot.grant() instanceof Grant.Slices slices) {
                slices.at().forEach(at -> slots.get(node * 2 + at.gpu()).add(at));
            }
        }
        for (int node = 0; node < 3; node++) {
            for (int gpu = 0; gpu < 2; gpu++) {
                List<MigSlot> cut = slots.get(node * 2 + gpu);
                int ways =
                        whole[node][gpu] + (milli[node][gpu] > 0 ? 1 : 0) + (cut.isEmpty() ? 0 : 1);
                assertThat(ways).as(when).isLessThanOrEqualTo(1);
                assertThat(milli[node][gpu]).as(when).isLessThanOrEqualTo(1000);
                legal(cut, node == 1 ? 4 : 7, when);
            }
        }
    }

    private static void legal(List<MigSlot> cut, int compute, String when) {
        int covered = 0;
        int used = 0;
        int media = 0;
        for (MigSlot slot : cut) {
            for (int at = slot.first(); at < slot.first() + slot.size(); at++) {
                assertThat(covered >>> at & 1).as(when + " " + cut).isZero();
                covered |= 1 << at;
            }
            used += slot.profile().charAt(0) - '0';
            media += slot.profile().endsWith("+me") ? 1 : 0;
        }
        assertThat(used).as(when + " " + cut).isLessThanOrEqualTo(compute);
        assertThat(media).as(when + " " + cut).isLessThanOrEqualTo(1);
    }

    @Test
    void summariesCountInTheUnitsThatWereAskedFor() {
        Scene scene = Scene.with(a100("mixed").build());
        scene.submit(slice("7g.40gb"));
        assertThat(summary(scene, JobBuilder.aJob().asking(GpuRequest.slices("1g.5gb", 2))))
                .startsWith("waits for 2 slices of 1g.5gb: ");
        assertThat(summary(scene, share(40, 0))).startsWith("waits for 40 % of a GPU: ");
        assertThat(summary(scene, JobBuilder.aJob().gpus(1))).startsWith("waits for 1 GPU: ");
    }

    private static String summary(Scene scene, JobBuilder job) {
        JobId id = scene.submit(job);
        return scene.explainer().explain(id).summary();
    }
}
