package io.gpusched.server.alert;

import io.gpusched.server.config.AlertName;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/// Evaluates all conditions regularly, on a thread of its own.
///
///     view, counts, store, model ──▶ picture ──▶ conditions ──▶ book ──▶ file, listeners
///
/// The listeners get what changed: webhooks, live events, the log. The last picture is kept for
/// the metrics, so that a scrape does not walk the queue.
public final class AlertWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AlertWatch.class);

    private final List<WatchedCondition> conditions;
    private final Supplier<AlertPicture> pictures;
    private final AlertBook book;
    private final AlertFile file;
    private final InstantSource clock;
    private final List<AlertListener> listeners = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile @Nullable AlertPicture last;
    private @Nullable Thread thread;
    private final AtomicBoolean unwritten = new AtomicBoolean();
    private boolean isClosed;

    public AlertWatch(
            List<WatchedCondition> conditions,
            Supplier<AlertPicture> pictures,
            AlertBook book,
            AlertFile file,
            InstantSource clock) {
        this.conditions = List.copyOf(conditions);
        this.pictures = pictures;
        this.book = book;
        this.file = file;
        this.clock = clock;
    }

    /// Sends every change to `listener` from now on.
    public void listen(AlertListener listener) {
        listeners.add(listener);
    }

    /// Evaluates once at once, and then at this interval until [#close].
    public synchronized void start(Duration interval) {
        file.write(book.image());
        thread = Thread.ofPlatform().name("alerts").daemon().start(() -> run(interval));
    }

    private void run(Duration interval) {
        try {
            do {
                evaluateOnce();
            } while (!closing.await(interval.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// A failure must not end the watch: the next evaluation may succeed.
    private void evaluateOnce() {
        try {
            evaluate();
        } catch (RuntimeException e) {
            LOG.error("the conditions for alerts could not be evaluated", e);
        }
    }

    /// Evaluates all conditions now, and publishes what changed.
    public synchronized void evaluate() {
        if (isClosed) {
            return;
        }
        AlertPicture picture = pictures.get();
        last = picture;
        Map<AlertName, List<Finding>> findings = new EnumMap<>(AlertName.class);
        for (WatchedCondition watched : conditions) {
            if (watched.enabled()) {
                AlertCondition condition = watched.condition();
                findings.put(condition.name(), condition.evaluate(picture));
            }
        }
        List<Alert> changed = book.update(picture.at(), findings);
        if (unwritten.getAndSet(false) || !changed.isEmpty()) {
            file.write(book.image());
        }
        changed.forEach(this::publish);
        List<Alert> all = book.all();
        listeners.forEach(listener -> listener.evaluated(all));
    }

    private void publish(Alert alert) {
        LOG.info("alert {} {}: {}", alert.name(), alert.state(), alert.finding().message());
        listeners.forEach(listener -> listener.changed(alert));
    }

    /// The last picture; null before the first evaluation.
    public @Nullable AlertPicture last() {
        return last;
    }

    /// What is watched, also what is switched off.
    public List<WatchedCondition> conditions() {
        return conditions;
    }

    /// Alerts that fire, followed by those resolved recently.
    public List<Alert> all() {
        return book.all();
    }

    /// See [AlertBook#suppressed].
    public long suppressed() {
        return book.suppressed();
    }

    /// Silences an alert for some time; null if there is no alert with this id.
    public @Nullable Alert silence(String id, Duration time, String by, String reason) {
        return silence(id, new Alert.Silence(clock.instant().plus(time), by, reason));
    }

    /// Ends the silence of an alert; null if there is no alert with this id.
    public @Nullable Alert endSilence(String id) {
        return silence(id, null);
    }

    /// Records that a webhook was told of an alert. The next evaluation, or [#close], writes it: a
    /// crash before repeats the message under the same delivery id.
    public void told(String alert, String webhook, AlertStage stage) {
        book.told(alert, webhook, stage);
        unwritten.set(true);
    }

    private synchronized @Nullable Alert silence(String id, Alert.@Nullable Silence silence) {
        Alert alert = book.silence(id, silence);
        if (alert != null && !isClosed) {
            file.write(book.image());
        }
        return alert;
    }

    /// Waits for an evaluation that is under way. Afterwards nothing is written any more.
    @Override
    public void close() {
        closing.countDown();
        Thread running;
        synchronized (this) {
            if (!isClosed && unwritten.getAndSet(false)) {
                file.write(book.image());
            }
            isClosed = true;
            running = thread;
        }
        if (running != null) {
            join(running);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
