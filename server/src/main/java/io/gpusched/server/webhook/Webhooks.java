package io.gpusched.server.webhook;

import io.gpusched.server.alert.Alert;
import io.gpusched.server.alert.AlertListener;
import io.gpusched.server.config.WebhookSetting;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// All receivers of alerts. A change of an alert becomes one message for each receiver that wants
/// it; [WebhookQueue] delivers it.
public final class Webhooks implements AlertListener, AutoCloseable {
    private final List<WebhookQueue> queues;
    private final WebhookPost post;
    private final String environment;

    /// @param environment the name of this installation, part of every message
    public Webhooks(
            List<WebhookSetting> settings,
            String environment,
            InstantSource clock,
            WebhookCounts counts) {
        this(settings, environment, clock, counts, RetryTimes.USUAL);
    }

    Webhooks(
            List<WebhookSetting> settings,
            String environment,
            InstantSource clock,
            WebhookCounts counts,
            RetryTimes times) {
        this.post = new WebhookPost(clock);
        this.environment = environment;
        this.queues =
                settings.stream()
                        .map(one -> new WebhookQueue(one, post, times, clock, counts))
                        .toList();
    }

    /// Begins to deliver.
    public void start(WebhookReceipts receipts) {
        queues.forEach(queue -> queue.start(receipts));
    }

    @Override
    public void changed(Alert alert) {
        queues.forEach(queue -> queue.add(alert, environment));
    }

    /// Sends what receivers were not told yet: an alert that was silenced when it fired, or whose
    /// message was lost with an earlier process. Older alerts come first.
    @Override
    public void evaluated(List<Alert> alerts) {
        alerts.stream().sorted(Comparator.comparingLong(Alert::number)).forEach(this::changed);
    }

    /// Sends a test message to every receiver, once, and waits for the results.
    public List<WebhookResult> test() {
        var results = new ArrayList<WebhookResult>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var sending = new ArrayList<Future<WebhookResult>>();
            for (WebhookQueue queue : queues) {
                sending.add(threads.submit(() -> test(queue.setting())));
            }
            for (Future<WebhookResult> one : sending) {
                results.add(one.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a test message could not be sent", e.getCause());
        }
        return results;
    }

    private WebhookResult test(WebhookSetting setting) throws InterruptedException {
        byte[] body = WebhookMessage.test(setting.format(), environment);
        return post.send(setting, UUID.randomUUID().toString(), body);
    }

    @Override
    public void close() {
        queues.forEach(WebhookQueue::close);
        post.close();
    }
}
