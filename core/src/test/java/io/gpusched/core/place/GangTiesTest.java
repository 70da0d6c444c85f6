package io.gpusched.core.place;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Node;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Of nodes and racks that are equally good for a gang, the scheduler takes the first in the
/// ledger.
final class GangTiesTest {
    private static Scene fleet(int nodes) {
        var all = new Node[nodes];
        for (int i = 0; i < nodes; i++) {
            all[i] = aNode("n" + i).label("rack", "r" + i / 2).build();
        }
        return Scene.with(all);
    }

    private static List<Integer> picks(List<Integer> amounts, int... lefts) {
        var largestFirst = LargestFirst.among(amounts, Comparator.reverseOrder(), amount -> amount);
        return Arrays.stream(lefts).mapToObj(largestFirst::next).toList();
    }

    @Test
    void theFirstOfEqualAmountsIsPicked() {
        assertThat(picks(List.of(8, 8, 8, 8), 20, 12, 4)).containsExactly(0, 1, 2);
        assertThat(picks(List.of(8, 8, 5, 5, 3), 10, 4, 4)).containsExactly(0, 2, 3);
        assertThat(picks(List.of(8, 5), 3, 3, 3)).containsExactly(1, 0, -1);
    }

    @Test
    void theLastTaskOfAGangGoesToTheFirstOfEqualNodes() {
        Scene scene = fleet(6);
        assertThat(scene.where(scene.submit(aJob().gpus(8).tasks(3))))
                .isEqualTo("n0[0-7] n1[0-7] n2[0-7]");
        assertThat(scene.where(scene.submit(aJob().gpus(8).tasks(2)))).isEqualTo("n3[0-7] n4[0-7]");
    }

    @Test
    void theRestOfAGangGoesToTheFirstOfEqualNodes() {
        Scene scene = fleet(4);
        assertThat(scene.where(scene.submit(aJob().gpus(4).tasks(3))))
                .isEqualTo("n0[0-3] n0[4-7] n1[0-3]");
    }

    @Test
    void theFullestNodeThatSufficesStillComesBeforeTheFirst() {
        Scene scene = fleet(4);
        scene.submit(aJob().gpus(2).onNodesWith("rack", "r1"));
        assertThat(scene.where(scene.submit(aJob().gpus(4).tasks(3))))
                .isEqualTo("n0[0-3] n0[4-7] n2[2-5]");
    }

    @Test
    void ofEqualRacksTheFirstIsTaken() {
        Scene scene = fleet(8);
        assertThat(scene.where(scene.submit(aJob().gpus(8).tasks(5).near("rack"))))
                .isEqualTo("n0[0-7] n1[0-7] n2[0-7] n3[0-7] n4[0-7]");
    }
}
