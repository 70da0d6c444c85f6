package io.gpusched.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.fake.FakeApiServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

@Timeout(60)
final class HttpKubeApiTest {
    private final FakeApiServer server = FakeApiServer.start();
    private final HttpKubeApi api = new HttpKubeApi(server.config());

    @AfterEach
    void end() {
        api.close();
        server.close();
    }

    @Test
    void aRefusalSaysWhatWasAskedAndWhy() {
        KubeException refusal = refusal(() -> api.get(ResourceType.NODES, "", "n"));
        assertThat(refusal).hasMessage("GET /api/v1/nodes/n: 404 NotFound: nodes \"n\" not found");
        assertThat(refusal.reason()).isEqualTo("NotFound");
        assertThat(refusal.isTransient()).isFalse();
    }

    @Test
    void connectionsAreUsedAgain() {
        for (int i = 0; i < 20; i++) {
            api.create(ResourceType.PODS, "default", TestObjects.pod("p-" + i));
            assertThat(refusal(() -> api.get(ResourceType.NODES, "", "n")).code()).isEqualTo(404);
            assertThat(api.list(ResourceType.PODS, ListQuery.all()).items()).hasSize(i + 1);
        }
        // One for short requests, one for lists; a few more where one was not yet given back.
        assertThat(server.connections()).isLessThan(10);
    }

    @Test
    void aServerThatIsAwayIsATransientFailure() {
        server.goAway();
        KubeException away = refusal(() -> api.get("/version"));
        assertThat(away.code()).isZero();
        assertThat(away.isTransient()).isTrue();
        assertThat(away).hasMessageContaining("GET /version at " + server.url());
        server.comeBack();
        assertThat(api.get("/version").path("minor").asText()).isEqualTo("34");
    }

    @Test
    void anAnswerThatIsLostIsAFailureAlthoughTheRequestCounted() {
        server.faults().loseAnswer("POST", ".*/pods", 1);
        KubeException lost =
                refusal(() -> api.create(ResourceType.PODS, "default", TestObjects.pod("p")));
        assertThat(lost.isTransient()).isTrue();
        assertThat(server.find(ResourceType.PODS, "default", "p")).isNotNull();
    }

    @Test
    void aListThatTheServerForgetsHalfwayIsReadAgain() {
        for (int i = 0; i < 501; i++) {
            server.create(ResourceType.NODES, TestObjects.named("n-" + i));
        }
        var seen = new ArrayList<String>();
        KubeException gone =
                refusal(
                        () ->
                                api.list(
                                        ResourceType.NODES,
                                        ListQuery.all(),
                                        each -> {
                                            if (seen.isEmpty()) {
                                                server.forgetHistory();
                                            }
                                            seen.add(TestObjects.name(each));
                                        }));
        assertThat(gone.isGone()).isTrue();
        assertThat(seen).hasSize(500);
        assertThat(api.list(ResourceType.NODES, ListQuery.all()).items()).hasSize(501);
    }

    @Test
    void aSilentWatchEndsWithoutAFailure() {
        try (var impatient = new HttpKubeApi(server.config(), Duration.ofMillis(50))) {
            var seen = new ArrayList<String>();
            impatient.watch(ResourceType.PODS, ListQuery.all(), "0", (type, _) -> seen.add(type));
            assertThat(seen).isEmpty();
        }
    }

    @Test
    void aWatchThatTheServerEndsReturns() throws InterruptedException {
        var opened = new CountDownLatch(1);
        var watch =
                Thread.ofVirtual()
                        .start(
                                () ->
                                        api.watch(
                                                ResourceType.PODS,
                                                ListQuery.all(),
                                                "0",
                                                new Opened(opened)));
        opened.await();
        server.endWatches();
        watch.join();
        assertThat(server.requests("watch pods")).isEqualTo(1);
    }

    /// Hears only that a watch was accepted.
    private record Opened(CountDownLatch latch) implements WatchListener {
        @Override
        public boolean changed(String type, ObjectNode object) {
            return true;
        }

        @Override
        public void opened() {
            latch.countDown();
        }
    }

    @Test
    void theLogOfAContainerIsText() {
        api.create(ResourceType.PODS, "default", TestObjects.pod("p"));
        assertThat(refusal(() -> api.log("default", "p", "container=main")).code()).isEqualTo(400);
        server.log("default", "p", "one\ntwo\nthree\n");
        assertThat(new String(api.log("default", "p", "tailLines=2"), StandardCharsets.UTF_8))
                .isEqualTo("two\nthree\n");
    }

    @Test
    void aServerThatIsNoApiServerIsNamed() {
        assertThat(refusal(() -> api.get("/nothing")).code()).isEqualTo(404);
        var nobody = KubeConfig.open(URI.create("http://127.0.0.1:1"));
        try (var lost = new HttpKubeApi(nobody)) {
            assertThat(refusal(() -> lost.get("/version")))
                    .hasMessage(
                            "GET /version at http://127.0.0.1:1: no connection; is the server"
                                    + " running?");
        }
    }

    @Test
    void accessRulesForbidWhatTheyDoNotName() {
        server.access()
                .grant(
                        "operator",
                        "",
                        TestObjects.tree(
                                "{rules: [{apiGroups: [''], resources: [pods], verbs: [get,"
                                        + " create]}]}"));
        try (var weak = new HttpKubeApi(server.config("operator"));
                var nobody = new HttpKubeApi(server.config("nobody"))) {
            weak.create(ResourceType.PODS, "default", TestObjects.pod("p"));
            KubeException forbidden =
                    refusal(
                            () ->
                                    weak.post(
                                            ResourceType.PODS,
                                            "default",
                                            "p",
                                            "binding",
                                            TestObjects.binding("p", "n")));
            assertThat(forbidden.isForbidden()).isTrue();
            assertThat(refusal(() -> nobody.get(ResourceType.PODS, "default", "p")))
                    .hasMessageContaining("401", "the server does not accept the given token");
            assertThat(server.access().used()).containsExactly("create pods");
        }
    }

    @Test
    void linesOfAWatchAreReadWhereverTheyAreCut() throws IOException {
        String lines =
                """
                {"type":"ADDED","object":{"n":1}}

                {"type":"MODIFIED","object":{"n":2,"text":"%s"}}
                {"type":"BOOKM\
                """
                        .formatted("ü".repeat(20_000));
        var seen = new ArrayList<String>();
        new WatchReader(slowly(lines), "GET /x")
                .read((type, object) -> seen.add(type + object.path("n").asText()));
        assertThat(seen).isEqualTo(List.of("ADDED1", "MODIFIED2"));
    }

    @Test
    void aLineWithoutEndIsNoReasonToUseUpTheMemory() {
        var endless =
                new InputStream() {
                    @Override
                    public int read() {
                        return 'x';
                    }
                };
        IOException failure =
                catchThrowableOfType(
                        IOException.class,
                        () -> new WatchReader(endless, "GET /x").read((_, _) -> true));
        assertThat(failure).hasMessageContaining("longer than 8388608 bytes");
    }

    /// Gives one to seven bytes at a time.
    private static InputStream slowly(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            private int turn;

            @Override
            public synchronized int read(byte[] into, int from, int length) {
                turn = turn % 7 + 1;
                return super.read(into, from, Math.min(turn, length));
            }
        };
    }

    private static KubeException refusal(Runnable call) {
        KubeException refusal = catchThrowableOfType(KubeException.class, call::run);
        assertThat(refusal).as("a refusal").isNotNull();
        return refusal;
    }
}
