package io.gpusched.server.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.server.config.AlertName;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/// The watch over a small cluster with a manual clock.
final class AlertWatchTest {
    private static final Duration HOLD = Duration.ofSeconds(30);
    private static final Duration RESOLVE = Duration.ofMinutes(2);

    private static final List<WatchedCondition> NODES =
            List.of(new WatchedCondition(new NodeLost(), true, HOLD));

    @TempDir Path dataDir;

    private final AlertCluster cluster = new AlertCluster().join("n1", 4);
    private final List<String> published = new ArrayList<>();

    /// A watch as a new process would make it.
    private AlertWatch watch() {
        var file = new AlertFile(dataDir);
        var book = new AlertBook(Map.of(AlertName.NODE_LOST, HOLD), RESOLVE, file.read(0));
        var watch = new AlertWatch(NODES, cluster::picture, book, file, () -> cluster.now);
        watch.listen(alert -> published.add(alert.id() + " " + alert.state()));
        return watch;
    }

    @BeforeEach
    void lose() {
        cluster.silence("n1");
    }

    @Test
    void listenersAreToldOfChangesOnce() {
        AlertWatch watch = watch();
        assertThat(watch.last()).isNull();
        watch.evaluate();
        assertThat(published).isEmpty();
        cluster.after(HOLD);
        watch.evaluate();
        watch.evaluate();
        assertThat(published).containsExactly("alert-1 firing");

        cluster.join("n1", 4);
        watch.evaluate();
        cluster.after(RESOLVE);
        watch.evaluate();
        assertThat(published).containsExactly("alert-1 firing", "alert-1 resolved");
        assertThat(Objects.requireNonNull(watch.last()).at()).isEqualTo(cluster.now);
    }

    @Test
    void aRestartPublishesNothingAgainAndKeepsASilence() {
        AlertWatch before = watch();
        before.evaluate();
        cluster.after(HOLD);
        before.evaluate();
        before.silence("alert-1", Duration.ofHours(1), "admin", "known");
        published.clear();

        AlertWatch after = watch();
        after.evaluate();

        assertThat(published).isEmpty();
        assertThat(after.all()).isEqualTo(before.all());
        assertThat(after.all().getFirst().isSilencedAt(cluster.now)).isTrue();
    }

    @Test
    void whatWebhooksWereToldIsKeptOverARestart() {
        AlertWatch before = watch();
        before.evaluate();
        cluster.after(HOLD);
        before.evaluate();
        before.told("alert-1", "ops", AlertStage.WARNING);
        before.evaluate();
        before.told("alert-1", "chat", AlertStage.WARNING);
        before.told("alert-1", "chat", AlertStage.INFO);
        before.close();

        var seen = new ArrayList<Map<String, AlertStage>>();
        AlertWatch after = watch();
        after.listen(
                new AlertListener() {
                    @Override
                    public void changed(Alert alert) {
                        seen.add(Map.of());
                    }

                    @Override
                    public void evaluated(List<Alert> alerts) {
                        alerts.forEach(alert -> seen.add(alert.told()));
                    }
                });
        after.evaluate();
        assertThat(seen)
                .containsExactly(Map.of("ops", AlertStage.WARNING, "chat", AlertStage.WARNING));
    }

    @Test
    @Timeout(60)
    void closingWaitsForAnEvaluationThatIsUnderWay() throws Exception {
        var entered = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var order = new CopyOnWriteArrayList<String>();
        Supplier<AlertPicture> slow =
                () -> {
                    entered.countDown();
                    await(go);
                    order.add("evaluated");
                    return cluster.picture();
                };
        var file = new AlertFile(dataDir);
        var book = new AlertBook(Map.of(), RESOLVE, AlertBook.Image.EMPTY);
        var watch = new AlertWatch(NODES, slow, book, file, () -> cluster.now);
        watch.start(Duration.ofHours(1));
        entered.await();
        Thread closer =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    watch.close();
                                    order.add("closed");
                                });
        Set<Thread.State> working = EnumSet.of(Thread.State.NEW, Thread.State.RUNNABLE);
        while (working.contains(closer.getState())) {
            Thread.onSpinWait();
        }
        go.countDown();
        closer.join();
        assertThat(order).containsExactly("evaluated", "closed");

        AlertBook.Image written = file.read(0);
        assertThat(written.firing()).hasSize(1);
        watch.silence("alert-1", Duration.ofHours(1), "admin", "too late");
        cluster.join("n1", 4);
        watch.evaluate();
        assertThat(file.read(0)).isEqualTo(written);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
