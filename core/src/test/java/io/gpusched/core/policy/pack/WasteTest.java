package io.gpusched.core.policy.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.NodeBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Grant;
import io.gpusched.core.state.Typical;
import io.gpusched.core.state.Typical.Need;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class WasteTest {
    private static final Need HALF = new Need(4000, 1, 500, List.of());
    private static final Need WHOLE = new Need(8000, 1, 1000, List.of());

    @Test
    void allIsWastedWhereNobodyComes() {
        var waste = new Waste(typical(Map.of()));
        assertThat(waste.of(left(2, 64))).isEqualTo(2000);
    }

    @Test
    void littleIsWastedWhereTasksFillTheGpus() {
        var waste = new Waste(typical(Map.of(HALF, 1L)));
        assertThat(waste.of(left(2, 64))).isLessThan(100);
    }

    @Test
    void aRestThatNobodyFitsIsWasted() {
        var waste = new Waste(typical(Map.of(HALF, 1L)));
        Left left = left(1, 64);
        left.take(new Grant.Shares(1, 600, 0), 0);
        assertThat(waste.of(left)).isEqualTo(400);
    }

    @Test
    void gpusWithoutCoresAreWasted() {
        var waste = new Waste(typical(Map.of(WHOLE, 1L)));
        double scarce = waste.of(left(8, 16));
        double plenty = waste.of(left(8, 64));
        assertThat(scarce).isGreaterThan(5500);
        assertThat(plenty).isLessThan(1000);
    }

    @Test
    void moreCoresNeverWasteMore() {
        var waste = new Waste(typical(Map.of(WHOLE, 2L, HALF, 3L)));
        double before = Double.MAX_VALUE;
        for (int cores = 0; cores <= 96; cores += 4) {
            double wasted = waste.of(left(8, cores));
            assertThat(wasted).as("%s cores", cores).isLessThanOrEqualTo(before + 1e-9);
            before = wasted;
        }
    }

    private static Typical typical(Map<Need, Long> counts) {
        return Typical.of(new LinkedHashMap<>(counts), 1);
    }

    private static Left left(int gpus, int cores) {
        Scene scene = Scene.with(NodeBuilder.aNode("n").gpus(gpus).cores(cores).build());
        return Left.of(scene.engine().state().nodes().getFirst());
    }
}
