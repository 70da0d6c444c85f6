package io.gpusched.server.webhook;

/// What came of one attempt to send a message.
///
/// @param status the HTTP status; 0 if there was no answer
/// @param trouble what went wrong, in words without the address; empty when the message was
///        delivered
public record WebhookResult(String webhook, int status, String trouble) {
    private static final int TIMEOUT = 408;
    private static final int TOO_EARLY = 425;
    private static final int TOO_MANY = 429;

    static WebhookResult answered(String webhook, int status) {
        boolean delivered = status / 100 == 2;
        return new WebhookResult(webhook, status, delivered ? "" : "it answered " + status);
    }

    static WebhookResult failed(String webhook, String trouble) {
        return new WebhookResult(webhook, 0, trouble);
    }

    public boolean isDelivered() {
        return trouble.isEmpty();
    }

    /// Whether the same message may succeed later. A receiver that says that the request is wrong
    /// will say so again.
    boolean mayRetry() {
        return status == 0
                || status == TIMEOUT
                || status == TOO_EARLY
                || status == TOO_MANY
                || status / 100 == 5;
    }
}
