package io.gpusched.lab.swf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

final class PairedGainTest {
    @Test
    void theErrorIsInTheUnitOfTheMean() {
        double mean = StrictMath.log(4);
        assertThat(new PairedGain(mean, 0.1, 9, 10).percent()).isEqualTo("+75.0 % ± 2.5 %");
        assertThat(new PairedGain(-mean, 0.1, 1, 10).percent()).isEqualTo("-300.0 % ± 40.0 %");
        assertThat(new PairedGain(0, 0.1, 5, 10).percent()).isEqualTo("+0.0 % ± 10.0 %");
    }

    @Test
    void equalRatiosHaveNoError() {
        PairedGain gain = PairedGain.of(List.of(1.0, 10.0, 50.0), List.of(2.0, 20.0, 100.0));
        assertThat(gain.percent()).isEqualTo("+50.0 % ± 0.0 %");
        assertThat(gain.wonPairs()).isEqualTo("3 of 3");
    }
}
