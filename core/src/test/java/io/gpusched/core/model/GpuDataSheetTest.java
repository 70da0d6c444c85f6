package io.gpusched.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class GpuDataSheetTest {
    @Test
    void everyFamilyWithKnownLinksHasASheet() {
        for (String family : GpuFamily.names()) {
            assertThat(GpuDataSheet.known(family)).as(family).isNotNull();
        }
    }

    @Test
    void loadAndHeatRaiseThePowerOfACardUpToItsLimit() {
        GpuDataSheet a100 = GpuDataSheet.of("A100");
        assertThat(a100.watts(0, Heat.COOL)).isEqualTo(55);
        assertThat(a100.watts(1, Heat.COOL)).isEqualTo(320);
        assertThat(a100.watts(1, Heat.HOT)).isEqualTo(320 * 1.075).isLessThan(400);
        assertThat(a100.watts(0.5, Heat.WARM)).isBetween(55.0, 320.0);
    }

    @Test
    void newerCardsNeedLessEnergy() {
        double last = Double.POSITIVE_INFINITY;
        for (String family : new String[] {"K80", "P100", "V100", "A100", "H100", "B200"}) {
            double joules = GpuDataSheet.of(family).joulesPerTeraflop();
            assertThat(joules).as(family).isLessThan(last);
            last = joules;
        }
    }

    @Test
    void anUnknownFamilyHasTypicalFigures() {
        assertThat(GpuDataSheet.known("Z9")).isNull();
        assertThat(GpuDataSheet.of("Z9").family()).isEqualTo("Z9");
        assertThat(GpuDataSheet.of("Z9").limitWatts()).isPositive();
    }
}
