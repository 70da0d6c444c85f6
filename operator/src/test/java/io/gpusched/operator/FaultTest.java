package io.gpusched.operator;

import static io.gpusched.operator.OperatorScene.soon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.kube.ResourceType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/// Random pods and gangs, random faults: the operator and the scheduler are killed, answers of the
/// API server are lost, it goes away, and another scheduler binds pods of its own. Afterwards each
/// pod was bound once at most, no node has more than it offers, and each gang is whole or waits.
///
/// A failure names its seed: `-Dseed=N` runs only that one.
final class FaultTest {
    private static final int STEPS = 25;

    @TempDir Path folder;

    static LongStream few() {
        return seeds(2);
    }

    static LongStream many() {
        return seeds(200);
    }

    private static LongStream seeds(int count) {
        Long only = Long.getLong("seed");
        return only == null ? LongStream.rangeClosed(1, count) : LongStream.of(only);
    }

    @ParameterizedTest
    @MethodSource("few")
    @Timeout(value = 240, unit = TimeUnit.SECONDS)
    void nothingIsLostOrDoubledByAFault(long seed) {
        run(seed);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("many")
    @Timeout(value = 240, unit = TimeUnit.SECONDS)
    void nothingIsLostOrDoubledByManyFaults(long seed) {
        run(seed);
    }

    private void run(long seed) {
        try (var scene = new OperatorScene(folder.resolve("seed-" + seed))) {
            for (int node = 0; node < 4; node++) {
                scene.node("n" + node, 4);
            }
            var course = new FaultCourse(scene, new Random(seed));
            for (int step = 0; step < STEPS; step++) {
                course.step();
            }
            course.repairAll();
            soon(
                    () -> "seed %d: no partial gang: %s".formatted(seed, scene.partialGangs()),
                    () -> scene.partialGangs().isEmpty());
            course.finish();
            assertThat(course.boundTwice()).as("seed %d: pods that moved", seed).isEmpty();
            scene.checkNodes();
        }
    }

    /// One random history.
    private static final class FaultCourse {
        private final OperatorScene scene;
        private final Random random;
        private final Map<String, String> nodeOfUid = new HashMap<>();
        private final List<String> moved = new ArrayList<>();
        private final List<String> singles = new ArrayList<>();
        private int made;
        private boolean operatorRuns = true;
        private boolean schedulerRuns = true;

        FaultCourse(OperatorScene scene, Random random) {
            this.scene = scene;
            this.random = random;
        }

        void step() {
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> {
                    singles.add("p" + made);
                    scene.pod("p" + made++, 1 + random.nextInt(2));
                }
                case 3, 4 -> scene.gang("g" + made++, 2 + random.nextInt(2), 2);
                case 5 -> foreign();
                case 6 -> deleteOne();
                case 7 -> toggleOperator();
                case 8 -> toggleScheduler();
                case 9 ->
                        scene.cluster
                                .faults()
                                .loseAnswer("POST", ".*/binding", 1 + random.nextInt(3));
                case 10 ->
                        scene.cluster
                                .faults()
                                .refuse("POST", ".*/binding", 500, 1 + random.nextInt(3));
                default -> {
                    scene.cluster.goAway();
                    scene.cluster.comeBack();
                    if (random.nextBoolean()) {
                        scene.cluster.forgetHistory();
                    }
                }
            }
            watch();
        }

        /// Another scheduler, which looks at the cluster as ours does and binds at once.
        private void foreign() {
            String name = "foreign" + made++;
            ObjectNode pod = KubeYaml.gpuPod(name, 0);
            ((ObjectNode) pod.get("metadata")).remove(List.of("uid", "creationTimestamp"));
            ((ObjectNode) pod.get("spec")).put("schedulerName", "default-scheduler");
            pod.remove("status");
            scene.create(pod);
            try {
                scene.api.post(
                        ResourceType.PODS,
                        OperatorScene.NAMESPACE,
                        name,
                        "binding",
                        KubeYaml.object(
                                "{apiVersion: v1, kind: Binding, metadata: {name: %s}, target: {kind: Node, name: n%d}}"
                                        .formatted(name, random.nextInt(4))));
            } catch (KubeException e) {
                // A fault that was meant for the operator; the pod waits for ever.
            }
        }

        private void deleteOne() {
            List<ObjectNode> pods = scene.cluster.all(ResourceType.PODS);
            if (!pods.isEmpty()) {
                String gang = "gpu-scheduler.io/group";
                ObjectNode pod = pods.get(random.nextInt(pods.size()));
                String group = pod.at("/metadata/labels").path(gang).asText("");
                for (ObjectNode each : pods) {
                    String name = each.at("/metadata/name").asText();
                    boolean same =
                            each.equals(pod)
                                    || (!group.isEmpty()
                                            && each.at("/metadata/labels")
                                                    .path(gang)
                                                    .asText("")
                                                    .equals(group));
                    if (same) {
                        delete(name);
                    }
                }
            }
        }

        private void delete(String name) {
            singles.remove(name);
            try {
                scene.delete(name);
            } catch (KubeException e) {
                assertThat(e.isNotFound()).as(e.getMessage()).isTrue();
            }
        }

        private void toggleOperator() {
            if (operatorRuns) {
                scene.killOperator();
            } else {
                scene.startOperatorAgain();
            }
            operatorRuns = !operatorRuns;
        }

        private void toggleScheduler() {
            if (schedulerRuns) {
                scene.scheduler.kill();
            } else {
                scene.scheduler.startAgain();
            }
            schedulerRuns = !schedulerRuns;
        }

        /// Notes where each pod is. A pod that was on another node before was bound twice.
        private void watch() {
            for (ObjectNode pod : scene.cluster.all(ResourceType.PODS)) {
                String node = pod.at("/spec/nodeName").asText("");
                String uid = pod.at("/metadata/uid").asText();
                String before = node.isEmpty() ? null : nodeOfUid.put(uid, node);
                if (before != null && !before.equals(node)) {
                    moved.add(pod.at("/metadata/name").asText());
                }
            }
            scene.checkNodes();
        }

        void repairAll() {
            if (!schedulerRuns) {
                toggleScheduler();
            }
            if (!operatorRuns) {
                toggleOperator();
            }
        }

        /// With all gangs gone, what is left fits, and must start.
        void finish() {
            for (ObjectNode pod : scene.cluster.all(ResourceType.PODS)) {
                String name = pod.at("/metadata/name").asText();
                if (name.startsWith("g")) {
                    delete(name);
                }
            }
            List<String> few = singles.size() > 8 ? singles.subList(0, 8) : singles;
            for (String name : List.copyOf(singles)) {
                if (!few.contains(name)) {
                    delete(name);
                }
            }
            for (String name : List.copyOf(singles)) {
                soon(() -> name + " is bound: " + scene.whyWaits(name), () -> scene.isBound(name));
            }
            watch();
        }

        List<String> boundTwice() {
            return moved;
        }
    }
}
