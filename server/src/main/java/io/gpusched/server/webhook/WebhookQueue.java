package io.gpusched.server.webhook;

import io.gpusched.server.alert.Alert;
import io.gpusched.server.alert.AlertStage;
import io.gpusched.server.config.WebhookSetting;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/// The messages for one receiver, in order, sent by a thread of its own. A message that cannot be
/// delivered is repeated until it is an hour old; meanwhile later ones wait behind it, because they
/// would fail too. The queue is bounded: when it is full, a new message is dropped and counted.
final class WebhookQueue implements AutoCloseable {
    static final int MOST_WAITING = 256;

    private static final Logger LOG = LoggerFactory.getLogger(WebhookQueue.class);
    private static final int MOST_REMEMBERED = 2048;

    @SuppressWarnings("ArrayRecordComponent") // Sent, never compared.
    private record Message(
            String alert, AlertStage stage, String delivery, Instant made, byte[] body) {}

    private final WebhookSetting setting;
    private final WebhookPost post;
    private final RetryTimes times;
    private final InstantSource clock;
    private final WebhookCounts counts;
    private final RandomGenerator random = RandomGenerator.getDefault();
    private final BlockingQueue<Message> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final LinkedHashMap<String, AlertStage> taken = new LinkedHashMap<>();
    private boolean isFull;
    private final CountDownLatch closing = new CountDownLatch(1);

    WebhookQueue(
            WebhookSetting setting,
            WebhookPost post,
            RetryTimes times,
            InstantSource clock,
            WebhookCounts counts) {
        this.setting = setting;
        this.post = post;
        this.times = times;
        this.clock = clock;
        this.counts = counts;
    }

    void start(WebhookReceipts receipts) {
        Thread.ofVirtual().name("webhook-" + setting.name()).start(() -> run(receipts));
    }

    WebhookSetting setting() {
        return setting;
    }

    /// Adds a message about the alert, unless the receiver does not want it or knows it already. A
    /// message that does not fit is dropped; the next evaluation offers the alert again. Never
    /// waits.
    synchronized void add(Alert alert, String environment) {
        if (!isNews(alert)) {
            return;
        }
        var message =
                new Message(
                        alert.id(),
                        alert.stage(),
                        delivery(alert, environment),
                        clock.instant(),
                        WebhookMessage.of(alert, setting.format(), environment));
        boolean fits = waiting.offer(message);
        if (fits) {
            remember(alert);
        } else {
            counts.count(setting.name(), "dropped");
            if (!isFull) {
                LOG.warn("{}: {} messages wait; further ones are dropped", setting, MOST_WAITING);
            }
        }
        isFull = !fits;
    }

    /// Whoever was told that an alert fires is told that it is over, whatever it has become since.
    private boolean isNews(Alert alert) {
        AlertStage known = later(taken.get(alert.id()), alert.told().get(setting.name()));
        if (known != null && known.compareTo(alert.stage()) >= 0) {
            return false;
        }
        return alert.isFiring()
                ? wants(alert) && !alert.isSilencedAt(clock.instant())
                : known != null;
    }

    private boolean wants(Alert alert) {
        return (setting.severities().isEmpty()
                        || setting.severities().contains(alert.severity().toString()))
                && (setting.alerts().isEmpty() || setting.alerts().contains(alert.name()));
    }

    private static @Nullable AlertStage later(
            @Nullable AlertStage one, @Nullable AlertStage other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.compareTo(other) > 0 ? one : other;
    }

    private void remember(Alert alert) {
        taken.remove(alert.id());
        taken.put(alert.id(), alert.stage());
        while (taken.size() > MOST_REMEMBERED) {
            taken.pollFirstEntry();
        }
    }

    /// The same for the same news, also after a restart, so that a receiver can drop a repetition.
    private String delivery(Alert alert, String environment) {
        String news =
                String.join(
                        "\n",
                        environment,
                        setting.name(),
                        alert.id(),
                        alert.since().toString(),
                        alert.stage().name());
        return UUID.nameUUIDFromBytes(news.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private void run(WebhookReceipts receipts) {
        try {
            while (closing.getCount() > 0) {
                Message message = waiting.poll(1, TimeUnit.SECONDS);
                if (message != null && isSettled(message)) {
                    receipts.told(message.alert, setting.name(), message.stage);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Delivers the message or gives it up; false if the queue was closed before.
    private boolean isSettled(Message message) throws InterruptedException {
        for (int attempts = 1; ; attempts++) {
            WebhookResult result = post.send(setting, message.delivery, message.body);
            if (result.isDelivered()) {
                counts.count(setting.name(), "delivered");
                return true;
            }
            Duration pause = times.after(attempts, random);
            Instant next = clock.instant().plus(pause);
            if (!result.mayRetry() || next.isAfter(message.made.plus(times.giveUp()))) {
                counts.count(setting.name(), "failed");
                LOG.warn(
                        "{}: a message was given up after {} attempts: {}",
                        setting,
                        attempts,
                        result.trouble());
                return true;
            }
            counts.count(setting.name(), "retried");
            if (closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                return false;
            }
        }
    }

    /// Sends nothing more. What still waits was not told: it is offered again after a restart.
    @Override
    public void close() {
        closing.countDown();
    }
}
