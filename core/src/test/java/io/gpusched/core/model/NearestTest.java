package io.gpusched.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

final class NearestTest {
    @Test
    void editsAreInsertedDeletedAndReplacedLetters() {
        assertThat(Nearest.edits("", "abc")).isEqualTo(3);
        assertThat(Nearest.edits("list", "list")).isZero();
        assertThat(Nearest.edits("kitten", "sitting")).isEqualTo(3);
    }

    @Test
    void aNameThatIsFarAwayIsNotMeant() {
        List<String> known = List.of("gpu_count", "max_runtime");
        assertThat(Nearest.to("GPU-COUNTS", known)).isEqualTo("gpu_count");
        assertThat(Nearest.to("priority", known)).isNull();
        assertThat(Nearest.to("x".repeat(61), known)).isNull();
        assertThat(Nearest.closest("priority", known)).isIn(known);
        assertThat(Nearest.closest("priority", List.of())).isEqualTo("priority");
    }

    @Test
    void anOptionIsFoundByOneOfItsWords() {
        List<String> known = List.of("--export", "--http-port");
        assertThat(Nearest.option("--prot", known)).isEqualTo("--http-port");
        assertThat(Nearest.option("--elephant", known)).isNull();
    }
}
