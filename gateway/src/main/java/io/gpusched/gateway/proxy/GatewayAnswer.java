package io.gpusched.gateway.proxy;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/// An answer that the gateway gives itself. Errors have the shape that clients of the OpenAI API
/// expect.
public final class GatewayAnswer {
    private static final Map<Integer, String> REASONS =
            Map.ofEntries(
                    Map.entry(200, "OK"),
                    Map.entry(400, "Bad Request"),
                    Map.entry(401, "Unauthorized"),
                    Map.entry(403, "Forbidden"),
                    Map.entry(404, "Not Found"),
                    Map.entry(405, "Method Not Allowed"),
                    Map.entry(408, "Request Timeout"),
                    Map.entry(413, "Content Too Large"),
                    Map.entry(429, "Too Many Requests"),
                    Map.entry(431, "Request Header Fields Too Large"),
                    Map.entry(501, "Not Implemented"),
                    Map.entry(502, "Bad Gateway"),
                    Map.entry(503, "Service Unavailable"),
                    Map.entry(504, "Gateway Timeout"),
                    Map.entry(505, "HTTP Version Not Supported"));

    private final int status;
    private final String type;
    private final byte[] content;
    private final long retryAfterSeconds;

    private GatewayAnswer(int status, String type, String content, long retryAfterSeconds) {
        this.status = status;
        this.type = type;
        this.content = content.getBytes(StandardCharsets.UTF_8);
        this.retryAfterSeconds = retryAfterSeconds;
    }

    public static GatewayAnswer json(int status, String content) {
        return new GatewayAnswer(status, "application/json", content, 0);
    }

    public static GatewayAnswer text(String type, String content) {
        return new GatewayAnswer(200, type, content, 0);
    }

    /// @param code a word for programs, such as `pool_not_found`
    public static GatewayAnswer error(int status, String code, String message) {
        return error(status, code, message, 0);
    }

    /// @param retryAfterSeconds 0 for none
    public static GatewayAnswer error(
            int status, String code, String message, long retryAfterSeconds) {
        String type =
                status == 429
                        ? "rate_limit_error"
                        : status < 500 ? "invalid_request_error" : "server_error";
        return new GatewayAnswer(
                status,
                "application/json",
                "{\"error\":{\"message\":\"%s\",\"type\":\"%s\",\"code\":\"%s\"}}"
                        .formatted(escaped(message), type, code),
                retryAfterSeconds);
    }

    private static String escaped(String text) {
        return new String(JsonStringEncoder.getInstance().quoteAsString(text));
    }

    public int status() {
        return status;
    }

    /// @param bodyless leaves the body out, for HEAD
    byte[] bytes(boolean close, boolean bodyless) {
        var head = new StringBuilder(192);
        head.append("HTTP/1.1 ").append(status).append(' ');
        head.append(REASONS.getOrDefault(status, "Error")).append("\r\n");
        head.append("content-type: ").append(type).append("\r\n");
        head.append("content-length: ").append(content.length).append("\r\n");
        if (retryAfterSeconds > 0) {
            head.append("retry-after: ").append(retryAfterSeconds).append("\r\n");
        }
        if (status == 401) {
            head.append("www-authenticate: Bearer\r\n");
        }
        head.append(close ? "connection: close\r\n\r\n" : "\r\n");
        byte[] start = head.toString().getBytes(StandardCharsets.ISO_8859_1);
        if (bodyless) {
            return start;
        }
        var all = new byte[start.length + content.length];
        System.arraycopy(start, 0, all, 0, start.length);
        System.arraycopy(content, 0, all, start.length, content.length);
        return all;
    }
}
