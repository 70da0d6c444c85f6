package io.gpusched.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.server.http.BenchFleet;

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
        var fleet = new LargeFleet(500);
        var drawn = new BenchFleet(fleet.view(), fleet.readings()).draw();
        assertThat(drawn.compressed() / (500 * LargeFleet.GPUS)).isLessThan(25);
        assertThat(drawn.bytes() / (500 * LargeFleet.GPUS)).isLessThan(60);
    }
}
