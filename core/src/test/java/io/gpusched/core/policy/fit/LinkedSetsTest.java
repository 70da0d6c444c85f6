package io.gpusched.core.policy.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.Topology;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

final class LinkedSetsTest {
    /// Pairs of neighbours are joined: 0═1 2═3 and so on.
    private static LinkedSets pairs(int size) {
        var rows = new ArrayList<List<Integer>>();
        for (int a = 0; a < size; a++) {
            var row = new ArrayList<Integer>();
            for (int b = 0; b < size; b++) {
                row.add(a != b && a / 2 == b / 2 ? 1 : 0);
            }
            rows.add(row);
        }
        var companions = new long[size];
        Arrays.fill(companions, -1L);
        return new LinkedSets(Topology.of(List.of(), rows, List.of()), companions);
    }

    @Test
    void oneGpuIsTakenWhereItIsMissedLeast() {
        assertThat(pairs(4).choose(0b1110, 1)).isEqualTo(0b0010);
        assertThat(pairs(4).choose(0b1111, 1)).isEqualTo(0b0001);
    }

    @Test
    void joinedGpusAreTakenTogether() {
        assertThat(pairs(4).choose(0b1110, 2)).isEqualTo(0b1100);
        assertThat(pairs(4).choose(0b1111, 2)).isEqualTo(0b0011);
        assertThat(pairs(4).choose(0b1010, 2)).isEqualTo(0b1010);
    }

    @Test
    void noSetIsFoundWhereTooFewAreFree() {
        assertThat(pairs(4).choose(0b0011, 3)).isZero();
        assertThat(pairs(4).choose(0b1111, 0)).isZero();
    }

    @Test
    void onlyCompanionsAreTakenTogether() {
        Topology flat = Topology.of(List.of(0, 0, 1, 1), List.of(), List.of());
        var sets = new LinkedSets(flat, new long[] {0b0011, 0b0011, 0b1100, 0b1100});
        assertThat(sets.choose(0b1101, 2)).isEqualTo(0b1100);
        assertThat(sets.choose(0b1111, 3)).isZero();
        assertThat(sets.choose(0b0101, 2)).isZero();
    }

    @Test
    void amongManyGpusJoinedOnesAreStillTakenTogether() {
        assertThat(pairs(20).choose(0xffffeL, 2)).isEqualTo(0b1100);
        assertThat(pairs(20).choose(0xaaaabL, 2)).isEqualTo(0b11);
    }

    @Test
    void askedAgainItGivesTheSameAnswer() {
        LinkedSets sets = pairs(20);
        var random = new Random(11);
        for (int i = 0; i < 200; i++) {
            long free = random.nextLong() & 0xfffff;
            int count = 1 + random.nextInt(6);
            assertThat(sets.choose(free, count))
                    .as("%s of %s, seed 11", count, Long.toBinaryString(free))
                    .isEqualTo(pairs(20).choose(free, count))
                    .isEqualTo(sets.choose(free, count));
        }
    }
}
