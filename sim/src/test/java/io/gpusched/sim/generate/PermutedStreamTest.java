package io.gpusched.sim.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/// Against numbers drawn with numpy 2.4.6.
final class PermutedStreamTest {
    @Test
    void wordsAreThoseOfTheGenerator() {
        var stream = new PermutedStream(0);
        assertThat(Long.toUnsignedString(stream.word())).isEqualTo("11749869230777074271");
        assertThat(Long.toUnsignedString(stream.word())).isEqualTo("4976686463289251617");
        assertThat(Long.toUnsignedString(stream.word())).isEqualTo("755828109848996024");
    }

    @Test
    void normalNumbersAgreeToTheirLastDigits() {
        var stream = new PermutedStream(0);
        double[] expected = {
            0.1257302210933933,
            -0.1321048632913019,
            0.6404226504432821,
            0.10490011715303971,
            -0.535669373161111,
            0.36159505490948474
        };
        for (double each : expected) {
            assertThat(stream.normal(0, 1)).isEqualTo(each, within(1e-13));
        }
    }

    @Test
    void theyStayInStepThroughTailsAndEdges() {
        var stream = new PermutedStream(7);
        double sum = 0;
        double last = 0;
        double firstFar = 0;
        int far = 0;
        for (int i = 0; i < 100_000; i++) {
            last = stream.normal(0, 1);
            sum += last;
            if (Math.abs(last) > 3.66) {
                firstFar = far++ == 0 ? last : firstFar;
            }
        }
        assertThat(last).isEqualTo(0.8518898525107713, within(1e-13));
        assertThat(sum).isEqualTo(-132.63190873851352, within(1e-9));
        assertThat(far).isEqualTo(25);
        assertThat(firstFar).isEqualTo(-3.661081810206792, within(1e-13));
    }
}
