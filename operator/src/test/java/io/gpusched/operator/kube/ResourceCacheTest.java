package io.gpusched.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.fake.FakeApiServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

@Timeout(60)
final class ResourceCacheTest {
    /// What the cache keeps of a pod in these tests.
    private record Kept(String name, String node) {
        static Kept of(ObjectNode pod) {
            if (!pod.path("spec").path("containers").isArray()) {
                throw new IllegalArgumentException("spec.containers is no list");
            }
            return new Kept(TestObjects.name(pod), pod.path("spec").path("nodeName").asText(""));
        }

        @Override
        public String toString() {
            return node.isEmpty() ? name : name + "@" + node;
        }
    }

    /// Writes down what it hears.
    private static final class Log implements CacheListener<Kept> {
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

        @Override
        public void added(Kept now) {
            lines.add("+" + now);
        }

        @Override
        public void modified(Kept before, Kept now) {
            lines.add(before + ">" + now);
        }

        @Override
        public void deleted(Kept last) {
            lines.add("-" + last);
        }

        @Override
        public void listed() {
            lines.add("listed");
        }

        String next() throws InterruptedException {
            String line = lines.poll(30, TimeUnit.SECONDS);
            return line == null ? "nothing" : line;
        }

        List<String> next(int count) throws InterruptedException {
            var found = new ArrayList<String>();
            for (int i = 0; i < count; i++) {
                found.add(next());
            }
            return found;
        }
    }

    private final FakeApiServer server = FakeApiServer.start();
    private final HttpKubeApi api = new HttpKubeApi(server.config());
    private final Log log = new Log();
    private final ResourceCache<Kept> cache =
            new ResourceCache<>(
                    api,
                    new ResourceCache.Followed<>(ResourceType.PODS, ListQuery.all(), Kept::of),
                    log);

    @AfterEach
    void end() {
        cache.close();
        api.close();
        server.close();
    }

    @Test
    void whatExistsIsListedAndWhatChangesIsTold() throws InterruptedException {
        create("a");
        cache.start();
        assertThat(log.next(2)).containsExactly("+a", "listed");
        create("b");
        api.post(ResourceType.PODS, "default", "b", "binding", TestObjects.binding("b", "n"));
        delete("a");
        assertThat(log.next(3)).containsExactly("+b", "b>b@n", "-a");
        assertThat(cache.all()).containsExactly(new Kept("b", "n"));
        assertThat(cache.find("default", "b")).isEqualTo(new Kept("b", "n"));
        assertThat(cache.isFollowing()).isTrue();
        assertThat(cache.silence()).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void aWatchThatEndsIsResumedWithoutAList() throws InterruptedException {
        cache.start();
        assertThat(log.next()).isEqualTo("listed");
        create("a");
        assertThat(log.next()).isEqualTo("+a");
        server.endWatches();
        create("b");
        assertThat(log.next()).isEqualTo("+b");
        assertThat(server.requests("list pods")).isEqualTo(1);
    }

    @Test
    void afterAGapTheDifferencesAreTold() throws InterruptedException {
        create("a");
        create("b");
        create("c");
        cache.start();
        assertThat(log.next(4)).containsExactlyInAnyOrder("+a", "+b", "+c", "listed");
        server.goAway();
        server.faults().drop("GET", "/api/v1/pods", 2);
        changeUnseen();
        server.forgetHistory();
        server.comeBack();
        assertThat(log.next(5)).containsExactlyInAnyOrder("-a", "-c", "+c", "b>b@n", "+d");
        assertThat(cache.size()).isEqualTo(3);
    }

    /// While the server cannot be reached: deletes a, binds b, makes c anew, creates d.
    private void changeUnseen() {
        server.erase(ResourceType.PODS, "default", "a");
        ObjectNode bound = server.require(ResourceType.PODS, "default", "b").deepCopy();
        ((ObjectNode) bound.path("spec")).put("nodeName", "n");
        server.plant(ResourceType.PODS, bound);
        server.erase(ResourceType.PODS, "default", "c");
        create("c");
        create("d");
    }

    @Test
    void anObjectThatCannotBeReadStopsNobodyElse() throws InterruptedException {
        create("a");
        ObjectNode broken = TestObjects.pod("broken");
        ((ObjectNode) broken.path("metadata")).put("namespace", "default");
        ((ObjectNode) broken.path("spec")).put("containers", 7);
        server.plant(ResourceType.PODS, broken);
        cache.start();
        assertThat(log.next(2)).containsExactly("+a", "listed");
        assertThat(cache.undecodable())
                .containsEntry("default/broken", "spec.containers is no list");
        create("b");
        assertThat(log.next()).isEqualTo("+b");
        ObjectNode worse = server.require(ResourceType.PODS, "default", "a").deepCopy();
        ((ObjectNode) worse.path("spec")).put("containers", "x");
        server.plant(ResourceType.PODS, worse);
        create("c");
        assertThat(log.next()).isEqualTo("+c");
        assertThat(cache.find("default", "a")).isEqualTo(new Kept("a", ""));
        assertThat(cache.undecodable()).containsOnlyKeys("default/a", "default/broken");
        delete("a");
        assertThat(log.next()).isEqualTo("-a");
        assertThat(cache.undecodable()).containsOnlyKeys("default/broken");
    }

    @Test
    void bookmarksMoveTheVersionFromWhichAWatchIsResumed() throws InterruptedException {
        server.bookmarkEvery(Duration.ofMillis(10));
        cache.start();
        assertThat(log.next()).isEqualTo("listed");
        // Changes of another type, so that only a bookmark can tell the newer version.
        server.create(ResourceType.NODES, TestObjects.named("n"));
        long before = server.bookmarks();
        while (server.bookmarks() < before + 3) {
            Thread.onSpinWait();
        }
        server.forgetHistoryUpToNow();
        server.endWatches();
        create("a");
        assertThat(log.next()).isEqualTo("+a");
        assertThat(server.requests("list pods")).isEqualTo(1);
    }

    @Test
    void aRefusedListIsTriedAgainAndReported() throws InterruptedException {
        server.faults().refuse("GET", "/api/v1/pods", 500, 2);
        create("a");
        cache.start();
        assertThat(log.next(2)).containsExactly("+a", "listed");
        assertThat(server.requests("list pods")).isEqualTo(1);
    }

    @Test
    void aForbiddenListIsReportedWithItsReason() throws InterruptedException {
        server.access().grant("operator", "", TestObjects.tree("{rules: []}"));
        try (var weak = new HttpKubeApi(server.config("operator"));
                var blind =
                        new ResourceCache<>(
                                weak,
                                new ResourceCache.Followed<>(
                                        ResourceType.PODS, ListQuery.all(), Kept::of),
                                log)) {
            blind.start();
            while (blind.failure().isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(blind.isFollowing()).isFalse();
            assertThat(blind.failure()).contains("403", "cannot list resource \"pods\"");
        }
    }

    private void create(String name) {
        ObjectNode pod = TestObjects.pod(name);
        ((ObjectNode) pod.path("metadata")).put("namespace", "default");
        server.create(ResourceType.PODS, pod);
    }

    private void delete(String name) {
        api.delete(ResourceType.PODS, "default", name, DeleteOptions.only("").grace(0));
    }
}
