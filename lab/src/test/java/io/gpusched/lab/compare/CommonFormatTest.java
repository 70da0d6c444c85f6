package io.gpusched.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.sim.metrics.Metric;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

final class CommonFormatTest {
    @Test
    void timesSideBySideAreWrittenAlike() {
        assertThat(texts(Metric.WAIT_MEAN, 3, 59.94)).containsExactly("3.0", "59.9");
        assertThat(texts(Metric.WAIT_MEAN, 3, 725)).containsExactly("0:03", "12:05");
        assertThat(texts(Metric.WAIT_MEAN, 3, 7325)).containsExactly("0:00:03", "2:02:05");
        assertThat(texts(Metric.MAKESPAN, 8640, 864_000)).containsExactly("0.10", "10.00");
    }

    @Test
    void numbersSideBySideHaveAsManyDigits() {
        assertThat(texts(Metric.COST, 1.5, 250)).containsExactly("2", "250");
        assertThat(texts(Metric.COST, 1.5, 25)).containsExactly("1.50", "25.00");
        assertThat(texts(Metric.JOBS, 3, 1200)).containsExactly("3", "1,200");
        assertThat(texts(Metric.SLOWDOWN_MEAN, 1, 3.217)).containsExactly("1.00", "3.22");
        assertThat(texts(Metric.CARBON, 900, 250_000)).containsExactly("1", "250");
        assertThat(texts(Metric.UTILISATION, 0.5, Double.NaN)).containsExactly("50.0", "–");
    }

    private static List<String> texts(Metric metric, double... values) {
        List<Double> all = Arrays.stream(values).boxed().toList();
        CommonFormat format = CommonFormat.of(metric, all);
        return all.stream().map(format::text).toList();
    }
}
