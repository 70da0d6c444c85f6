package io.gpusched.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;

import org.junit.jupiter.api.Test;

import java.util.List;

final class FleetBenchTest {
    @Test
    void aSmallFleetIsDrawn() {
        List<Figure> figures = new FleetBench().run(Thoroughness.QUICK);
        assertThat(figures).hasSize(3).allMatch(figure -> figure.value() > 0);
    }

    /// The size that is sent grows with the number of GPUs and with nothing else, so the bound for
    /// 80,000 GPUs follows from a smaller fleet.
    @Test
    void aGpuTakesLessThan25BytesCompressed() {
        var drawn = new LargeFleet(500).draw();
        assertThat(drawn.compressed().length / (500 * LargeFleet.GPUS)).isLessThan(25);
        assertThat(drawn.json().length / (500 * LargeFleet.GPUS)).isLessThan(60);
    }
}
