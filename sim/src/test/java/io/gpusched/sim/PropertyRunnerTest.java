package io.gpusched.sim;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.List;

final class PropertyRunnerTest {
    private static final List<Integer> STEPS = List.of(1, 4, 9, 2, 7, 3, 8);

    @Test
    void aFailureIsShownWithItsSeedAndOnlyWhatItNeeds() {
        assertThatThrownBy(
                        () ->
                                PropertyRunner.<Integer>check(
                                        3, seed -> STEPS, PropertyRunnerTest::nineBeforeSeven))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("with 2 of 7 steps")
                .hasMessageContaining("-Dseed=")
                .hasMessageContaining("    9\n    7\n")
                .hasMessageContaining("seven came after nine");
    }

    @Test
    void whatHoldsIsNotMentioned() {
        assertThatCode(() -> PropertyRunner.check(3, seed -> STEPS, (seed, steps) -> {}))
                .doesNotThrowAnyException();
    }

    private static void nineBeforeSeven(long seed, List<Integer> steps) {
        if (steps.contains(9) && steps.indexOf(7) > steps.indexOf(9)) {
            throw new IllegalStateException("seven came after nine");
        }
    }
}
