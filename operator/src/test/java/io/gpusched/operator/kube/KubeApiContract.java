package io.gpusched.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/// What the operator relies on in an API server. It runs against the fake, a real 1.20 and any
/// cluster, so whatever only a fake does has no place here. It leaves nothing behind.
abstract class KubeApiContract extends ObjectContract {
    @Test
    void aLeaseIsTakenKeptAndReleased() {
        var clock = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
        LeaseClaim a = claim("a", clock);
        LeaseClaim b = claim("b", clock);
        assertThat(a.attempt()).isTrue();
        assertThat(b.attempt()).isFalse();
        clock.updateAndGet(now -> now.plusSeconds(14));
        assertThat(a.attempt()).isTrue();
        clock.updateAndGet(now -> now.plusSeconds(14));
        assertThat(b.attempt()).isFalse();
        clock.updateAndGet(now -> now.plusSeconds(15));
        assertThat(b.attempt()).isTrue();
        assertThat(a.attempt()).isFalse();
        b.release();
        assertThat(a.attempt()).isTrue();
        remove(ResourceType.LEASES, namespace, "l");
    }

    private LeaseClaim claim(String identity, AtomicReference<Instant> clock) {
        return new LeaseClaim(api, LeaseSettings.of(namespace, "l", identity), () -> clock.get());
    }

    @Test
    void eventsAboutAPodAreFoundAndCounted() {
        ObjectReference about = ObjectReference.of(pod("p"));
        try (var recorder = new EventRecorder(api, "gpu-scheduler", "contract")) {
            recorder.start();
            recorder.record(about, "Warning", "Waiting", "no 2 free GPUs");
            recorder.record(about, "Warning", "Waiting", "no 2 free GPUs");
            var query = ListQuery.in(namespace).where("involvedObject.uid=" + about.uid());
            await(
                    () ->
                            api.list(ResourceType.EVENTS, query).items().stream()
                                    .anyMatch(each -> each.path("count").asInt() == 2));
            assertThat(recorder.dropped()).isZero();
        }
    }

    @Test
    void aCacheFollowsPods() throws InterruptedException {
        pod("p");
        var seen = new LinkedBlockingQueue<String>();
        var followed =
                new ResourceCache.Followed<>(
                        ResourceType.PODS,
                        ListQuery.in(namespace).where("spec.schedulerName=contract"),
                        pod -> TestObjects.name(pod) + pod.path("spec").path("nodeName").asText());
        try (var cache = new ResourceCache<>(api, followed, new Heard(seen))) {
            cache.start();
            assertThat(seen.poll(30, TimeUnit.SECONDS)).isEqualTo("+p");
            pod("q");
            assertThat(seen.poll(30, TimeUnit.SECONDS)).isEqualTo("+q");
            bind("q", TestObjects.binding("q", node));
            assertThat(seen.poll(30, TimeUnit.SECONDS)).isEqualTo("q" + node);
            if (forgetsHistory()) {
                remove(ResourceType.PODS, namespace, "p");
                assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo("-p");
            }
            assertThat(cache.all()).contains("q" + node);
        }
    }

    private record Heard(BlockingQueue<String> lines) implements CacheListener<String> {
        @Override
        public void added(String now) {
            lines.add("+" + now);
        }

        @Override
        public void modified(String before, String now) {
            if (!before.equals(now)) {
                lines.add(now);
            }
        }

        @Override
        public void deleted(String last) {
            lines.add("-" + last);
        }
    }
}
