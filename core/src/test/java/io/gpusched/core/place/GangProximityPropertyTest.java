package io.gpusched.core.place;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/// On small fleets, gangs against every possible choice of racks and blocks.
///
/// The bound that is held: a level that is required is always shared, and a gang waits only if no
/// place of it has room; of a single preferred level, or the widest of several, the fewest possible
/// places are used; with two preferred levels, all tasks share the narrower one whenever that is
/// possible, and inside one place of the wider one no more of the narrower are used than needed.
final class GangProximityPropertyTest {
    private static final int SEEDS = 400;

    private interface Property {
        void hold(Scene scene, Random random);
    }

    private static void check(Property property) {
        Long only = Long.getLong("seed");
        for (long seed = only == null ? 0 : only;
                seed < (only == null ? SEEDS : only + 1);
                seed++) {
            var random = new Random(seed);
            try {
                property.hold(fleet(random), random);
            } catch (RuntimeException | AssertionError failed) {
                throw new AssertionError("seed " + seed + ": " + failed.getMessage(), failed);
            }
        }
    }

    private static Scene fleet(Random random) {
        var nodes = new Node[3 + random.nextInt(8)];
        int racks = 2 + random.nextInt(4);
        for (int i = 0; i < nodes.length; i++) {
            int rack = random.nextInt(racks);
            nodes[i] =
                    aNode("n" + i)
                            .gpus(1 + random.nextInt(4))
                            .label("rack", "r" + rack / 2)
                            .label("block", rack % 2 == 0 ? "even" : "odd")
                            .build();
        }
        Scene scene = Scene.with(nodes);
        for (int i = random.nextInt(6); i > 0; i--) {
            scene.submit(aJob().gpus(1 + random.nextInt(2)));
        }
        return scene;
    }

    private static String rack(Labels labels) {
        return labels.value("block") + "/" + labels.value("rack");
    }

    private static String place(String level, Labels labels) {
        return level.equals("rack") ? rack(labels) : labels.value("block");
    }

    /// Tasks of `gpus` that fit into each place.
    private static Map<String, Integer> room(Scene scene, String level, int gpus, String within) {
        Map<String, Integer> room = new LinkedHashMap<>();
        for (NodeView node : scene.engine().state().nodes().all()) {
            Labels labels = node.facts().labels();
            if (within.isEmpty() || within.equals(labels.value("block"))) {
                int tasks = Long.bitCount(node.idleGpus()) / gpus;
                room.merge(place(level, labels), tasks, Integer::sum);
            }
        }
        return room;
    }

    private static int fewest(Map<String, Integer> room, int tasks) {
        Integer[] sizes = room.values().toArray(Integer[]::new);
        int best = Integer.MAX_VALUE;
        for (int set = 0; set < 1 << sizes.length; set++) {
            int sum = 0;
            for (int i = 0; i < sizes.length; i++) {
                sum += (set >> i & 1) == 0 ? 0 : sizes[i];
            }
            best = sum >= tasks ? Math.min(best, Integer.bitCount(set)) : best;
        }
        return best;
    }

    private static Set<String> used(Scene scene, JobId job, String level) {
        var used = new TreeSet<String>();
        for (Slot slot : scene.run(job).on().slots()) {
            var node = Objects.requireNonNull(scene.engine().state().nodes().find(slot.node()));
            used.add(place(level, node.facts().labels()));
        }
        return used;
    }

    private static boolean runs(Scene scene, JobId job) {
        return scene.job(job).phase().run() != null;
    }

    @Test
    void aRequiredLevelIsSharedAndOnlyLackOfRoomKeepsAGangWaiting() {
        check(
                (scene, random) -> {
                    String level = random.nextBoolean() ? "rack" : "block";
                    int tasks = 2 + random.nextInt(8);
                    int gpus = 1 + random.nextInt(2);
                    boolean fits = fewest(room(scene, level, gpus, ""), tasks) == 1;
                    JobBuilder gang = aJob().tasks(tasks).gpus(gpus).within(level);
                    JobId job = scene.submit(random.nextBoolean() ? gang.near("node") : gang);
                    assertThat(runs(scene, job)).isEqualTo(fits);
                    if (fits) {
                        assertThat(used(scene, job, level)).hasSize(1);
                    }
                });
    }

    @Test
    void aPreferredLevelUsesTheFewestPlacesThereCanBe() {
        check(
                (scene, random) -> {
                    String level = random.nextBoolean() ? "rack" : "block";
                    int tasks = 2 + random.nextInt(12);
                    int gpus = 1 + random.nextInt(2);
                    int fewest = fewest(room(scene, level, gpus, ""), tasks);
                    JobId job = scene.submit(aJob().tasks(tasks).gpus(gpus).near(level));
                    assertThat(runs(scene, job)).isEqualTo(fewest < Integer.MAX_VALUE);
                    if (runs(scene, job)) {
                        assertThat(used(scene, job, level)).hasSize(fewest);
                    }
                });
    }

    @Test
    void ofTwoPreferredLevelsTheNarrowerIsSharedIfItCanBe() {
        check(
                (scene, random) -> {
                    int tasks = 2 + random.nextInt(10);
                    int racks = fewest(room(scene, "rack", 1, ""), tasks);
                    int blocks = fewest(room(scene, "block", 1, ""), tasks);
                    int even = fewest(room(scene, "rack", 1, "even"), tasks);
                    int odd = fewest(room(scene, "rack", 1, "odd"), tasks);
                    JobId job = scene.submit(aJob().tasks(tasks).near("rack").near("block"));
                    assertThat(runs(scene, job)).isEqualTo(blocks < Integer.MAX_VALUE);
                    if (!runs(scene, job)) {
                        return;
                    }
                    assertThat(used(scene, job, "block")).hasSize(blocks);
                    if (blocks == 1) {
                        assertThat(used(scene, job, "rack")).hasSize(Math.min(even, odd));
                    }
                    if (racks == 1) {
                        assertThat(used(scene, job, "rack")).hasSize(1);
                    }
                });
    }
}
