package io.gpusched.core.policy.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Grant;
import io.gpusched.core.state.TypicalWorkload;
import io.gpusched.core.state.TypicalWorkload.Need;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class WasteModelTest {
    private static final Need HALF = new Need(4000, 1, 500, List.of());
    private static final Need WHOLE = new Need(8000, 1, 1000, List.of());

    @Test
    void everythingIsWastedWithoutTasks() {
        var wasteModel = new WasteModel(typical(Map.of()));
        assertThat(wasteModel.of(left(2, 64))).isEqualTo(2000);
    }

    @Test
    void littleIsWastedWhereTasksFillTheGpus() {
        var wasteModel = new WasteModel(typical(Map.of(HALF, 1L)));
        assertThat(wasteModel.of(left(2, 64))).isLessThan(100);
    }

    @Test
    void aRestThatFitsNoTaskIsWasted() {
        var wasteModel = new WasteModel(typical(Map.of(HALF, 1L)));
        RemainingCapacity remainingCapacity = left(1, 64);
        remainingCapacity.take(new Grant.Shares(1, 600, 0), 0);
        assertThat(wasteModel.of(remainingCapacity)).isEqualTo(400);
    }

    @Test
    void gpusWithoutCoresAreWasted() {
        var wasteModel = new WasteModel(typical(Map.of(WHOLE, 1L)));
        double scarce = wasteModel.of(left(8, 16));
        double plenty = wasteModel.of(left(8, 64));
        assertThat(scarce).isGreaterThan(5500);
        assertThat(plenty).isLessThan(1000);
    }

    @Test
    void moreCoresNeverWasteMore() {
        var wasteModel = new WasteModel(typical(Map.of(WHOLE, 2L, HALF, 3L)));
        double before = Double.MAX_VALUE;
        for (int cores = 0; cores <= 96; cores += 4) {
            double wasted = wasteModel.of(left(8, cores));
            assertThat(wasted).as("%s cores", cores).isLessThanOrEqualTo(before + 1e-9);
            before = wasted;
        }
    }

    private static TypicalWorkload typical(Map<Need, Long> counts) {
        return TypicalWorkload.of(new LinkedHashMap<>(counts), 1);
    }

    private static RemainingCapacity left(int gpus, int cores) {
        Scene scene = Scene.with(NodeBuilder.aNode("n").gpus(gpus).cores(cores).build());
        return RemainingCapacity.of(scene.engine().state().nodes().all().getFirst());
    }
}
