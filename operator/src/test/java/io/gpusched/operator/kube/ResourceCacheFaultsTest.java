package io.gpusched.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.fake.FakeApiServer;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;

/// Whatever happens to the server, a cache ends with what the server has, and its listener was told
/// a story that leads there.
final class ResourceCacheFaultsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROUNDS = 8;
    private static final int STEPS = 30;
    private static final int NAMES = 30;

    static LongStream seeds() {
        Long only = Long.getLong("seed");
        return only == null
                ? LongStream.range(0, Integer.getInteger("seeds.times", 1))
                : LongStream.of(only);
    }

    /// Checks that the story is possible: nothing is added twice or deleted without being there.
    private static final class Story implements CacheListener<String> {
        private final Map<String, String> told = new ConcurrentHashMap<>();

        @Override
        public void added(String now) {
            assertThat(told.put(name(now), now)).isNull();
        }

        @Override
        public void modified(String before, String now) {
            assertThat(told.put(name(now), now)).isEqualTo(before);
        }

        @Override
        public void deleted(String last) {
            assertThat(told.remove(name(last))).isEqualTo(last);
        }

        private static String name(String state) {
            return state.split(" ")[0];
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aCacheEndsWithWhatTheServerHas(long seed) {
        var random = new SplittableRandom(seed);
        var story = new Story();
        try (var server = FakeApiServer.start();
                var api = new HttpKubeApi(server.config());
                var cache =
                        new ResourceCache<>(
                                api,
                                new ResourceCache.Followed<>(
                                        ResourceType.NODES,
                                        ListQuery.all(),
                                        ResourceCacheFaultsTest::state),
                                story)) {
            cache.start();
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < STEPS; i++) {
                    change(server, "n-" + random.nextInt(NAMES), random.nextInt(3));
                    fault(server, random.nextInt(60));
                }
                awaitEqual(server, story, cache, seed);
            }
        }
    }

    private static void awaitEqual(
            FakeApiServer server, Story story, ResourceCache<String> cache, long seed) {
        Map<String, String> expected = new TreeMap<>();
        for (ObjectNode each : server.all(ResourceType.NODES)) {
            expected.put(TestObjects.name(each), state(each));
        }
        Instant end = Instant.now().plus(PATIENCE);
        while (!expected.equals(story.told) && Instant.now().isBefore(end)) {
            Thread.onSpinWait();
        }
        assertThat(cache.failure()).as("seed %s", seed).doesNotContain("mistake of ours");
        assertThat(story.told).as("seed %s", seed).isEqualTo(expected);
        assertThat(cache.all()).hasSameElementsAs(expected.values());
    }

    private static String state(ObjectNode node) {
        return TestObjects.name(node)
                + " "
                + node.path("metadata").path("uid").asText()
                + " "
                + node.path("metadata").path("resourceVersion").asText();
    }

    private static void change(FakeApiServer server, String name, int kind) {
        ObjectNode found = server.find(ResourceType.NODES, "", name);
        if (found == null) {
            server.create(ResourceType.NODES, TestObjects.named(name));
        } else if (kind == 0) {
            server.erase(ResourceType.NODES, "", name);
        } else {
            server.plant(ResourceType.NODES, found);
        }
    }

    private static void fault(FakeApiServer server, int kind) {
        String path = "/api/v1/nodes";
        switch (kind) {
            case 0 -> server.endWatches();
            case 1 -> server.forgetHistory();
            case 2 -> {
                server.goAway();
                server.comeBack();
            }
            case 3 -> server.faults().refuse("GET", path, 500, 1);
            case 4 -> server.faults().refuse("GET", path, 410, 1);
            case 5 -> server.faults().drop("GET", path, 1);
            default -> {}
        }
    }
}
