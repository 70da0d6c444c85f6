package io.gpusched.server.webhook;

import io.gpusched.server.alert.AlertStage;

/// Remembers what receivers were told, so that a restart sends what is missing and nothing twice.
public interface WebhookReceipts {
    /// A message was delivered or given up: it is not to be sent again.
    void told(String alert, String webhook, AlertStage stage);
}
