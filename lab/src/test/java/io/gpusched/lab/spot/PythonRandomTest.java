package io.gpusched.lab.spot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// What CPython's `random` draws from seed 0.
final class PythonRandomTest {
    @Test
    void shuffleAndChoiceDrawAsPythonDoes() {
        var random = new PythonRandom(0);
        var letters = new ArrayList<>(List.of("abcdefghi".split("")));
        random.shuffle(letters);
        assertThat(String.join("", letters)).isEqualTo("hfbdecaig");
        List<Integer> seven = IntStream.range(0, 7).boxed().toList();
        assertThat(IntStream.range(0, 12).map(i -> random.choice(seven)).toArray())
                .containsExactly(3, 2, 4, 1, 4, 1, 2, 1, 6, 0, 4, 6);
    }

    @Test
    void theWordsAfterTheFirstStateAreRightToo() {
        var random = new PythonRandom(0);
        int[] drawn = IntStream.range(0, 700).map(i -> random.below(1000)).toArray();
        assertThat(IntStream.of(drawn).skip(695)).containsExactly(837, 329, 36, 537, 151);
    }
}
