package io.gpusched.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.engine.Policies;

import org.junit.jupiter.api.Test;

import java.util.List;

final class UnknownWordTest {
    @Test
    void theClosestWordIsMeant() {
        assertThat(advice("fifo-srict")).isEqualTo("did you mean fifo-strict?");
        assertThat(advice("fare-skip")).isEqualTo("did you mean fair-skip?");
        assertThat(advice("prioritty")).isEqualTo("did you mean priority?");
    }

    @Test
    void aWordOfTheSameBeginningIsOfferedBeforeACloserOneOfAnother() {
        assertThat(advice("fair-conservative"))
                .isEqualTo("did you mean fair-strict, fair-skip, fair or fifo-conservative?");
    }

    @Test
    void whereNothingIsCloseAllAreNamed() {
        assertThat(UnknownWord.advice("elephant", List.of("ant", "bee")))
                .isEqualTo("known here are ant, bee");
        assertThat(UnknownWord.advice("ant", List.of())).isEqualTo("known here are ");
    }

    private static String advice(String policy) {
        return UnknownWord.advice(policy, Policies.NAMES);
    }
}
