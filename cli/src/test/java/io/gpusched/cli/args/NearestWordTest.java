package io.gpusched.cli.args;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

final class NearestWordTest {

    @Test
    void distanceCountsSlipsOfTheFinger() {
        assertThat(NearestWord.distance("", "abc")).isEqualTo(3);
        assertThat(NearestWord.distance("list", "list")).isZero();
        assertThat(NearestWord.distance("lsit", "list")).isEqualTo(1);
        assertThat(NearestWord.distance("kitten", "sitting")).isEqualTo(3);
    }

    @Test
    void onlyWhatIsNearIsSuggested() {
        List<String> names = List.of("submit", "list", "status");

        assertThat(NearestWord.suggestion("sumbit", names)).isEqualTo("; did you mean submit?");
        assertThat(NearestWord.suggestion("stats", names)).isEqualTo("; did you mean status?");
        assertThat(NearestWord.suggestion("frobnicate", names)).isEmpty();
        assertThat(NearestWord.suggestion("x", List.of())).isEmpty();
    }
}
