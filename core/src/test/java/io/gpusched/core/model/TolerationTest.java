package io.gpusched.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TolerationTest {
    private static final Taint TAINT = new Taint("spot", "yes", "NoSchedule");

    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    # key, exists, value, effect,         covers
                    spot, true,  '',    '',               true
                    spot, true,  other, '',               true
                    spot, false, yes,   '',               true
                    spot, false, other, '',               false
                    spot, false, '',    '',               false
                    old,  true,  '',    '',               false
                    old,  false, yes,   '',               false
                    spot, true,  '',    NoSchedule,       true
                    spot, true,  '',    NoExecute,        false
                    spot, true,  '',    PreferNoSchedule, false
                    spot, false, yes,   NoSchedule,       true
                    spot, false, yes,   NoExecute,        false
                    spot, false, other, NoSchedule,       false
                    '',   true,  '',    '',               true
                    '',   true,  '',    NoSchedule,       true
                    '',   true,  '',    NoExecute,        false
                    '',   false, yes,   '',               true
                    '',   false, other, '',               false
                    """)
    void aTolerationCoversATaintThatMatchesAllItsFields(
            String key, boolean exists, String value, String effect, boolean covers) {
        assertThat(new Toleration(key, exists, value, effect).covers(TAINT)).isEqualTo(covers);
    }

    @ParameterizedTest
    @CsvSource({"'', true", "PreferNoSchedule, true", "NoSchedule, false"})
    void aPreferNoScheduleTaintIsCoveredLikeAnyOther(String effect, boolean covers) {
        var preferNoSchedule = new Taint("spot", "yes", "PreferNoSchedule");
        assertThat(new Toleration("spot", true, "", effect).covers(preferNoSchedule))
                .isEqualTo(covers);
    }
}
