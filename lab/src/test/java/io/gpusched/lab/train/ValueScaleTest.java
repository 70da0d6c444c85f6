package io.gpusched.lab.train;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.stream.DoubleStream;

final class ValueScaleTest {
    @Test
    void itEndsAtRoundNumbersAroundTheValues() {
        var scale = ValueScale.around(DoubleStream.of(-0.13, 0.58));
        assertThat(scale.ticks())
                .extracting(ValueScale.Tick::label)
                .containsExactly("-0.2", "0.0", "0.2", "0.4", "0.6");
        assertThat(scale.place(-0.2)).isZero();
    }

    @Test
    void oneValueAndNoneHaveAScaleToo() {
        assertThat(ValueScale.around(DoubleStream.of(3)).ticks()).hasSizeGreaterThan(1);
        assertThat(ValueScale.around(DoubleStream.of(0)).ticks()).hasSizeGreaterThan(1);
        assertThat(ValueScale.around(DoubleStream.empty()).ticks()).hasSizeGreaterThan(1);
    }

    @Test
    void anEndThatIsNotRoundHasNoLabel() {
        assertThat(ValueScale.upTo(200_704).ticks())
                .extracting(ValueScale.Tick::label)
                .containsExactly("0", "50,000", "100,000", "150,000", "200,000");
    }
}
