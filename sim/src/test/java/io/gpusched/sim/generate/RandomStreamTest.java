package io.gpusched.sim.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

/// Against numbers drawn with numpy 2.4.6 after `numpy.random.seed(2000001)`.
final class RandomStreamTest {
    private final RandomStream stream = new RandomStream(2_000_001);

    @Test
    void wordsAreThoseOfTheMersenneTwister() {
        assertThat(new long[] {stream.word(), stream.word(), stream.word(), stream.word()})
                .containsExactly(3092365167L, 175110165L, 1204670394L, 2614850853L);
    }

    /// The check values that came with the generator's first publication.
    @Test
    void aStreamMayBeSeededBySeveralWords() {
        RandomStream many = RandomStream.ofWords(0x123, 0x234, 0x345, 0x456);
        assertThat(new long[] {many.word(), many.word(), many.word(), many.word()})
                .containsExactly(1067595299L, 955945823L, 477289528L, 4107218783L);
    }

    @Test
    void unitsHave53Bits() {
        assertThat(new double[] {stream.unit(), stream.unit(), stream.unit()})
                .containsExactly(0.7199973690567241, 0.2804841817082271, 0.7606017540048466);
    }

    @Test
    void normalNumbersComeInPairs() {
        double[] three = {stream.normal(0, 1), stream.normal(0, 1), stream.normal(0, 1)};
        assertThat(three)
                .containsExactly(-0.9741369301047941, 0.9762738894706818, 0.6413637967204043);
    }

    @Test
    void wholeNumbersAreMaskedAndRejected() {
        assertThat(IntStream.range(0, 10).map(i -> stream.whole(1, 11)))
                .containsExactly(6, 6, 5, 7, 10, 5, 1, 2, 7, 10);
    }

    @Test
    void nothingIsDrawnWhereThereIsNoChoice() {
        assertThat(stream.whole(3, 4)).isEqualTo(3);
        assertThat(stream.word()).isEqualTo(3092365167L);
    }

    @Test
    void beginningAnewForgetsTheSecondOfAPair() {
        double first = stream.normal(0, 1);
        stream.seed(2_000_001);
        assertThat(stream.normal(0, 1)).isEqualTo(first);
    }

    @Test
    void aSeedIsOneWord() {
        assertThatThrownBy(() -> new RandomStream(1L << 32)).hasMessageContaining("4294967296");
    }
}
