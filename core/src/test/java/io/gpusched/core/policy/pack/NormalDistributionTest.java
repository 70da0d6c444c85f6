package io.gpusched.core.policy.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class NormalDistributionTest {
    @Test
    void theErrorFunctionHasItsTabulatedValues() {
        assertThat(NormalDistribution.complement(0)).isEqualTo(1);
        assertThat(NormalDistribution.complement(0.5)).isCloseTo(0.4795001221869535, within(1e-14));
        assertThat(NormalDistribution.complement(1)).isCloseTo(0.15729920705028513, within(1e-14));
        assertThat(NormalDistribution.complement(-1)).isCloseTo(1.8427007929497148, within(1e-14));
        assertThat(NormalDistribution.complement(2)).isCloseTo(0.004677734981047266, within(1e-14));
        assertThat(NormalDistribution.complement(3)).isCloseTo(2.209049699858544e-5, within(1e-17));
        assertThat(NormalDistribution.complement(6))
                .isCloseTo(2.1519736712498913e-17, within(1e-29));
    }

    @Test
    void seriesAndContinuedFractionAgree() {
        assertThat(NormalDistribution.complement(2.4999999))
                .isCloseTo(NormalDistribution.complement(2.5), within(1e-9));
    }

    @Test
    void theMeanIsReachedHalfTheTime() {
        assertThat(NormalDistribution.atLeast(7, 7, 2)).isEqualTo(0.5);
        assertThat(NormalDistribution.atLeast(100, 7, 2)).isZero();
    }
}
