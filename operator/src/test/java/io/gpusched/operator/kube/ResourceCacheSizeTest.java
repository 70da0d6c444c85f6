package io.gpusched.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.fake.FakeApiServer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/// A large cluster fits into little memory, because only projections are kept.
@Tag("long")
final class ResourceCacheSizeTest {
    private static final int PODS = 20_000;
    private static final int ANNOTATIONS = 40;
    private static final long MOST_BYTES = 30L << 20;

    private record Kept(String name, String node) {}

    @Test
    void twentyThousandPodsFitIntoThirtyMebibytes() throws InterruptedException {
        try (var server = FakeApiServer.start();
                var api = new HttpKubeApi(server.config())) {
            for (int i = 0; i < PODS; i++) {
                server.create(ResourceType.PODS, pod("p-" + i));
            }
            // The server keeps the text of each object once it was read.
            assertThat(api.list(ResourceType.PODS, ListQuery.all(), _ -> {})).isNotEmpty();
            long before = used();
            try (var cache =
                    new ResourceCache<>(
                            api,
                            new ResourceCache.Followed<>(
                                    ResourceType.PODS,
                                    ListQuery.all(),
                                    pod -> new Kept(TestObjects.name(pod), "")),
                            new Deaf())) {
                cache.start();
                assertThat(cache.awaitListed(Duration.ofMinutes(2))).isTrue();
                assertThat(cache.size()).isEqualTo(PODS);
                assertThat(used() - before).isLessThan(MOST_BYTES);
                assertThat(server.requests("list pods")).isEqualTo(2 * PODS / 500);
            }
        }
    }

    /// As large as pods are in practice: 4 KiB.
    private static ObjectNode pod(String name) {
        ObjectNode pod = TestObjects.pod(name);
        ObjectNode metadata = (ObjectNode) pod.path("metadata");
        metadata.put("namespace", "default");
        ObjectNode annotations = metadata.putObject("annotations");
        for (int i = 0; i < ANNOTATIONS; i++) {
            annotations.put("example.com/annotation-" + i, "x".repeat(60));
        }
        return pod;
    }

    private static long used() {
        System.gc();
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static final class Deaf implements CacheListener<Kept> {
        @Override
        public void added(Kept now) {}

        @Override
        public void modified(Kept before, Kept now) {}

        @Override
        public void deleted(Kept last) {}
    }
}
