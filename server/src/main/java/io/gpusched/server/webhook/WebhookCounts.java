package io.gpusched.server.webhook;

/// Counts deliveries, for metrics.
public interface WebhookCounts {
    /// What came of a message: `delivered`, `failed` (given up) or `dropped` (the queue was full;
    /// it is offered again); `retried` for an attempt that is repeated.
    void count(String webhook, String result);
}
