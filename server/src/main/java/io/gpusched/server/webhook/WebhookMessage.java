package io.gpusched.server.webhook;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.server.alert.Alert;
import io.gpusched.server.alert.AlertJson;
import io.gpusched.server.config.WebhookSetting;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Writes what a receiver gets: the whole alert as JSON, or a text for a chat in the form that
/// Slack and its likes accept.
final class WebhookMessage {
    private static final int VERSION = 1;

    private WebhookMessage() {}

    static byte[] of(Alert alert, WebhookSetting.Format format, String environment) {
        return switch (format) {
            case JSON -> {
                ObjectNode body = head(alert.state(), environment);
                body.set("alert", AlertJson.of(alert));
                yield bytes(body);
            }
            case SLACK -> slack(text(alert, environment));
        };
    }

    /// A message that shows that the receiver can be reached.
    static byte[] test(WebhookSetting.Format format, String environment) {
        String text = "Test message of gpu-scheduler (" + environment + "), not an alert.";
        return switch (format) {
            case JSON -> bytes(head("test", environment).put("message", text));
            case SLACK -> slack(escaped(text));
        };
    }

    private static ObjectNode head(String event, String environment) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        return body.put("version", VERSION).put("event", event).put("environment", environment);
    }

    private static String text(Alert alert, String environment) {
        String severity = alert.severity().toString().toUpperCase(Locale.ROOT);
        return "*%s* %s (%s): %s%s"
                .formatted(
                        alert.isFiring() ? severity : "RESOLVED",
                        alert.name().shown(),
                        escaped(environment),
                        escaped(alert.finding().message()),
                        alert.isFiring()
                                ? "\nWhat to do: " + escaped(alert.finding().remedy())
                                : "");
    }

    /// Without this, the name of a node or tenant could call a whole channel (`<!channel>`) or pass
    /// for a link.
    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static byte[] slack(String text) {
        return bytes(JsonNodeFactory.instance.objectNode().put("text", text));
    }

    private static byte[] bytes(ObjectNode body) {
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }
}
