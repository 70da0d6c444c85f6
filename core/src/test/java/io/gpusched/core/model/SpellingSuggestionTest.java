package io.gpusched.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

final class SpellingSuggestionTest {
    @Test
    void editsAreInsertedDeletedAndReplacedLetters() {
        assertThat(SpellingSuggestion.edits("", "abc")).isEqualTo(3);
        assertThat(SpellingSuggestion.edits("list", "list")).isZero();
        assertThat(SpellingSuggestion.edits("kitten", "sitting")).isEqualTo(3);
    }

    @Test
    void aDistantNameIsNotSuggested() {
        List<String> known = List.of("gpu_count", "max_runtime");
        assertThat(SpellingSuggestion.to("GPU-COUNTS", known)).isEqualTo("gpu_count");
        assertThat(SpellingSuggestion.to("priority", known)).isNull();
        assertThat(SpellingSuggestion.to("x".repeat(61), known)).isNull();
        assertThat(SpellingSuggestion.closest("priority", known)).isIn(known);
        assertThat(SpellingSuggestion.closest("priority", List.of())).isEqualTo("priority");
    }

    @Test
    void anOptionIsFoundByOneOfItsWords() {
        List<String> known = List.of("--export", "--http-port");
        assertThat(SpellingSuggestion.option("--prot", known)).isEqualTo("--http-port");
        assertThat(SpellingSuggestion.option("--elephant", known)).isNull();
    }
}
