package io.gpusched.server.webhook;

import io.gpusched.server.alert.Alert;
import io.gpusched.server.config.WebhookSetting;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
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
    private record Message(String delivery, Instant made, byte[] body) {}

    private final WebhookSetting setting;
    private final WebhookPost post;
    private final RetryTimes times;
    private final InstantSource clock;
    private final WebhookCounts counts;
    private final RandomGenerator random = RandomGenerator.getDefault();
    private final BlockingQueue<Message> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final LinkedHashSet<String> taken = new LinkedHashSet<>();
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

    void start() {
        Thread.ofVirtual().name("webhook-" + setting.name()).start(this::run);
    }

    WebhookSetting setting() {
        return setting;
    }

    /// Adds a message about the alert, unless the receiver does not want it or the same news has
    /// been added before. Never waits.
    synchronized void add(Alert alert, String environment) {
        if (!wants(alert) || !isNews(alert)) {
            return;
        }
        var message =
                new Message(
                        UUID.randomUUID().toString(),
                        clock.instant(),
                        WebhookMessage.of(alert, setting.format(), environment));
        boolean fits = waiting.offer(message);
        if (!fits) {
            counts.count(setting.name(), "dropped");
            if (!isFull) {
                LOG.warn("{}: {} messages wait; further ones are dropped", setting, MOST_WAITING);
            }
        }
        isFull = !fits;
    }

    private boolean wants(Alert alert) {
        return (setting.severities().isEmpty()
                        || setting.severities().contains(alert.severity().toString()))
                && (setting.alerts().isEmpty() || setting.alerts().contains(alert.name()));
    }

    /// A silenced alert is no news, except that one is resolved that was sent before.
    private boolean isNews(Alert alert) {
        boolean silenced = alert.isSilencedAt(clock.instant());
        if (silenced && (alert.isFiring() || !taken.contains(alert.id()))) {
            return false;
        }
        boolean isNew = taken.add(alert.id() + " " + alert.state() + " " + alert.severity());
        taken.add(alert.id());
        while (taken.size() > MOST_REMEMBERED) {
            taken.removeFirst();
        }
        return isNew;
    }

    private void run() {
        try {
            while (closing.getCount() > 0) {
                Message message = waiting.poll(1, TimeUnit.SECONDS);
                if (message != null) {
                    deliver(message);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void deliver(Message message) throws InterruptedException {
        for (int attempts = 1; ; attempts++) {
            WebhookResult result = post.send(setting, message.delivery, message.body);
            if (result.isDelivered()) {
                counts.count(setting.name(), "delivered");
                return;
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
                return;
            }
            counts.count(setting.name(), "retried");
            if (closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    /// Sends nothing more. Messages that wait are lost.
    @Override
    public void close() {
        closing.countDown();
    }
}
