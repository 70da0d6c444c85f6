package io.gpusched.core.nodes;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Report;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.ForeignTask;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.SliceCount;
import io.gpusched.core.model.Slot;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;

/// What other systems use of a node, known by number only.
final class ForeignUseTest {
    private static final NodeId N1 = new NodeId("n1");
    private static final GpuRequest ONE_SEVENTH = GpuRequest.slices("1g.5gb", 1);

    private final Scene scene = Scene.with(aNode("n1: 4×A100-40GB").cores(16).build());

    private static ForeignTask task(String id, int gpus, long milliCpu, SliceCount... slices) {
        Grant grant = gpus == 0 ? new Grant.None() : new Grant.Counted(gpus);
        var host = new Resources(milliCpu, 0);
        return new ForeignTask(id, new Slot(N1, 0, 0, grant, host), List.of(slices));
    }

    private void uses(ForeignTask... tasks) {
        scene.tell(new Report.ForeignUsage(N1, List.of(tasks)));
    }

    private NodeView node() {
        return Objects.requireNonNull(scene.engine().state().nodes().find(N1));
    }

    @Test
    void countedGpusAreNotFree() {
        uses(task("a", 1, 1000), task("b", 2, 500));
        assertThat(node().freeGpus()).isEqualTo(0b1000);
        assertThat(node().freeMilliCpu()).isEqualTo(14_500);
        JobId two = scene.submit(aJob().gpus(2));
        assertThat(scene.where(two)).isEqualTo("Waiting");
        assertThat(scene.where(scene.submit(aJob().gpus(1)))).isEqualTo("n1[3]");
        uses();
        assertThat(scene.where(two)).isEqualTo("n1[0-1]");
    }

    @Test
    void ourOwnTasksKeepTheirPlacesBesideThem() {
        JobId job = scene.submit(aJob().gpus(2));
        assertThat(scene.where(job)).isEqualTo("n1[0-1]");
        uses(task("a", 1, 0));
        assertThat(node().freeGpus()).isEqualTo(0b1000);
        scene.runs(job);
        scene.completes(job);
        assertThat(Long.bitCount(node().freeGpus())).isEqualTo(3);
    }

    @Test
    void moreThanIsFreeLeavesNothingAndBreaksNothing() {
        JobId job = scene.submit(aJob().gpus(3).cores(10));
        uses(task("a", 9, 100_000, new SliceCount("1g.5gb", 99)));
        assertThat(node().freeGpus()).isZero();
        assertThat(node().freeMilliCpu()).isZero();
        scene.runs(job);
        scene.completes(job);
        assertThat(node().freeGpus()).isZero();
        assertThat(node().freeMilliCpu()).isZero();
    }

    @Test
    void countedSlicesTakeThoseOfTheirProfile() {
        relabel("none|1g.5gb:7|2g.10gb:3|2g.10gb:1,3g.20gb:1");
        uses(task("a", 0, 0, new SliceCount("1g.5gb", 6), new SliceCount("2g.10gb", 3)));
        assertThat(scene.where(scene.submit(aJob().asking(ONE_SEVENTH)))).startsWith("n1[1:");
        assertThat(scene.where(scene.submit(aJob().asking(ONE_SEVENTH)))).isEqualTo("Waiting");
        JobId quarter = scene.submit(aJob().asking(GpuRequest.slices("2g.10gb", 1)));
        assertThat(scene.where(quarter)).startsWith("n1[3:");
        assertThat(scene.where(scene.submit(aJob().gpus(1)))).isEqualTo("n1[0]");
    }

    @Test
    void countedGpusAreNeverThoseThatAreCutIntoSlices() {
        relabel("1g.5gb:7|none|1g.5gb:7|none");
        uses(task("a", 1, 0));
        assertThat(scene.where(scene.submit(aJob().asking(ONE_SEVENTH)))).startsWith("n1[0:");
        assertThat(scene.where(scene.submit(aJob().gpus(1)))).isEqualTo("n1[3]");
    }

    @Test
    void slicesThatAreMadeOnRequestLeaveTheRestOfTheirGpu() {
        relabel("mixed");
        uses(task("a", 0, 0, new SliceCount("3g.20gb", 2)), task("b", 3, 0));
        assertThat(scene.where(scene.submit(aJob().asking(ONE_SEVENTH)))).isEqualTo("Waiting");
        assertThat(node().slicedGpus()).isEqualTo(0b1);
        uses(task("a", 0, 0, new SliceCount("3g.20gb", 1)), task("b", 3, 0));
        assertThat(scene.where(scene.submit(aJob().asking(ONE_SEVENTH)))).startsWith("n1[0:");
    }

    private void relabel(String value) {
        scene.tell(
                new Report.NodeDescribed(
                        aNode("n1: 4×A100-40GB").cores(16).label(MigConfig.LABEL, value).build()));
    }

    @Test
    void theDigestCoversIt() {
        long before = scene.engine().digest();
        uses(task("a", 1, 0));
        long one = scene.engine().digest();
        uses(task("a", 2, 0));
        assertThat(List.of(before, one)).doesNotContain(scene.engine().digest());
        uses(task("a", 1, 0));
        assertThat(scene.engine().digest()).isEqualTo(one);
        uses();
        assertThat(scene.engine().digest()).isEqualTo(before);
    }
}
