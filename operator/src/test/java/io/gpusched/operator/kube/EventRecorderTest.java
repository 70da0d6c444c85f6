package io.gpusched.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.fake.FakeApiServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

@Timeout(60)
final class EventRecorderTest {
    private static final ObjectReference POD = ObjectReference.pod("default", "p", "uid-p");

    private final FakeApiServer server = FakeApiServer.start();
    private final HttpKubeApi api = new HttpKubeApi(server.config());
    private final AtomicReference<Instant> now =
            new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final EventRecorder recorder =
            new EventRecorder(api, "gpu-scheduler", "operator-1", () -> now.get());

    @BeforeEach
    void start() {
        recorder.start();
    }

    @AfterEach
    void end() {
        recorder.close();
        api.close();
        server.close();
    }

    @Test
    void equalEventsAreOneWithACount() {
        recorder.record(POD, "Warning", "Waiting", "no 2 free GPUs");
        await(() -> events().size() == 1);
        now.updateAndGet(before -> before.plusSeconds(7));
        recorder.record(POD, "Warning", "Waiting", "no 2 free GPUs");
        await(() -> events().getFirst().path("count").asInt() == 2);
        ObjectNode event = events().getFirst();
        assertThat(event.path("lastTimestamp").asText()).isEqualTo("2026-01-01T00:00:07Z");
        assertThat(event.path("firstTimestamp").asText()).isEqualTo("2026-01-01T00:00:00Z");
        assertThat(event.path("involvedObject").path("uid").asText()).isEqualTo("uid-p");
        assertThat(event.path("source").path("component").asText()).isEqualTo("gpu-scheduler");
        recorder.record(POD, "Warning", "Waiting", "no 1 free GPU");
        await(() -> events().size() == 2);
        assertThat(server.requests("create events")).isEqualTo(2);
        assertThat(server.requests("patch events")).isEqualTo(1);
    }

    @Test
    void oneObjectCannotWriteWithoutLimit() {
        for (int i = 0; i < 50; i++) {
            recorder.record(POD, "Normal", "Again", "reason " + i);
        }
        ObjectReference other = ObjectReference.pod("default", "q", "uid-q");
        recorder.record(other, "Normal", "Again", "once");
        await(() -> about("q") == 1);
        assertThat(about("p")).isEqualTo(10);
        assertThat(recorder.dropped()).isEqualTo(40);
    }

    @Test
    void whatWasNotSentIsPartOfTheNextCount() {
        for (int i = 0; i < 30; i++) {
            recorder.record(POD, "Normal", "Again", "the same");
        }
        await(() -> recorder.dropped() == 20);
        now.updateAndGet(before -> before.plusSeconds(60));
        recorder.record(POD, "Normal", "Again", "the same");
        await(() -> events().getFirst().path("count").asInt() == 31);
    }

    @Test
    void anEventThatWasDeletedIsWrittenAnew() {
        recorder.record(POD, "Normal", "Again", "the same");
        await(() -> events().size() == 1);
        server.erase(ResourceType.EVENTS, "default", TestObjects.name(events().getFirst()));
        recorder.record(POD, "Normal", "Again", "the same");
        await(() -> events().size() == 1);
        assertThat(events().getFirst().path("count").asInt()).isEqualTo(2);
    }

    @Test
    void anEventThatIsRefusedHindersNoOther() {
        server.faults().refuse("POST", ".*/events", 403, 1);
        recorder.record(POD, "Normal", "First", "refused");
        recorder.record(POD, "Normal", "Second", "written");
        await(() -> events().size() == 1);
        assertThat(events().getFirst().path("reason").asText()).isEqualTo("Second");
        assertThat(recorder.dropped()).isEqualTo(1);
    }

    private List<ObjectNode> events() {
        return server.all(ResourceType.EVENTS);
    }

    private long about(String pod) {
        return events().stream()
                .filter(each -> each.path("involvedObject").path("name").asText().equals(pod))
                .count();
    }

    private static void await(BooleanSupplier isSo) {
        while (!isSo.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }
}
