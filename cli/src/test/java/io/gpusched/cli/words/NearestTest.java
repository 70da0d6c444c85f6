package io.gpusched.cli.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

final class NearestTest {

    @Test
    void distanceCountsSlipsOfTheFinger() {
        assertThat(Nearest.distance("", "abc")).isEqualTo(3);
        assertThat(Nearest.distance("list", "list")).isZero();
        assertThat(Nearest.distance("lsit", "list")).isEqualTo(1);
        assertThat(Nearest.distance("kitten", "sitting")).isEqualTo(3);
    }

    @Test
    void onlyWhatIsNearIsSuggested() {
        List<String> names = List.of("submit", "list", "status");

        assertThat(Nearest.suggestion("sumbit", names)).isEqualTo("; did you mean submit?");
        assertThat(Nearest.suggestion("stats", names)).isEqualTo("; did you mean status?");
        assertThat(Nearest.suggestion("frobnicate", names)).isEmpty();
        assertThat(Nearest.suggestion("x", List.of())).isEmpty();
    }
}
