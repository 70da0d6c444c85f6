package io.gpusched.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LabelsTest {
    private static final String KEY = "neuronetes.io/data-stores";

    @Test
    void aListHasItsItemsAndNothingElse() {
        Labels labels = Labels.of(KEY, "store-1, store-12 ,a");
        assertThat(labels.lists(KEY, "store-1")).isTrue();
        assertThat(labels.lists(KEY, "store-12")).isTrue();
        assertThat(labels.lists(KEY, "a")).isTrue();
        assertThat(labels.lists(KEY, "store")).isFalse();
        assertThat(labels.lists(KEY, "store-2")).isFalse();
        assertThat(labels.lists("other", "a")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "store-1", "store-1,", ",", "store-1,,a"})
    void noListHasAnEmptyItem(String list) {
        assertThat(Labels.of(KEY, list).lists(KEY, "")).isFalse();
    }
}
