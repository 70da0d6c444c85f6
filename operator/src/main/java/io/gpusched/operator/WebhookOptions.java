package io.gpusched.operator;

import io.gpusched.operator.webhook.Webhook;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

/// The options of the webhook that scores pods. Without `--webhook` there is none.
@SuppressWarnings("NullAway.Init")
final class WebhookOptions {
    private static final int MOST_PORT = 65_535;

    @Option(
            names = "--webhook",
            paramLabel = "NAMESPACE/SERVICE",
            defaultValue = "${env:GPU_OPERATOR_WEBHOOK:-}",
            description =
                    "Serve the webhook that scores pods, behind this Service. Its certificate is in"
                            + " the Secret SERVICE-tls, and the MutatingWebhookConfiguration"
                            + " SERVICE-NAMESPACE trusts it (GPU_OPERATOR_WEBHOOK; default none).")
    private String service;

    @Option(
            names = "--webhook-port",
            paramLabel = "PORT",
            defaultValue = "${env:GPU_OPERATOR_WEBHOOK_PORT:-8443}",
            description = "Port of the webhook (GPU_OPERATOR_WEBHOOK_PORT; default 8443).")
    private int port;

    /// Null if no webhook is wanted.
    ///
    /// @throws UnusableOption if an option has no usable value
    Webhook.@Nullable Settings settings() {
        if (service.isEmpty()) {
            return null;
        }
        String[] parts = service.split("/", -1);
        if (parts.length != 2 || parts[0].isBlank() || parts[1].isBlank()) {
            throw new UnusableOption("--webhook: expected NAMESPACE/SERVICE, found " + service);
        }
        if (port < 0 || port > MOST_PORT) {
            throw new UnusableOption("--webhook-port: expected 0 to 65535, found " + port);
        }
        return new Webhook.Settings(
                port, parts[0], parts[1], parts[1] + "-tls", parts[1] + "-" + parts[0]);
    }
}
