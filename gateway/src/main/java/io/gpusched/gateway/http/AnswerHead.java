package io.gpusched.gateway.http;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/// The head of a replica's answer.
///
/// @param keepAlive whether the replica takes another request on the same connection
/// @param frame where the body ends
public record AnswerHead(
        int status, String reason, HeaderFields fields, boolean keepAlive, BodyFrame frame) {
    private static final Set<String> OF_ONE_CONNECTION =
            Set.of("connection", "keep-alive", "proxy-connection", "upgrade", "trailer");

    /// Whether the body is a stream of server-sent events.
    public boolean isEventStream() {
        String type = fields.first("content-type");
        return type != null && type.regionMatches(true, 0, "text/event-stream", 0, 17);
    }

    /// A head that only announces another one.
    public boolean isInterim() {
        return status < 200;
    }

    static AnswerHead read(byte[] bytes, int from, int to, boolean bodyless) throws BadHttp {
        int end = from;
        while (bytes[end] != '\r') {
            end++;
        }
        String line = new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
        if (!line.matches("HTTP/1\\.[01] [1-9][0-9][0-9]( .*)?")) {
            throw new BadHttp(502, "the answer does not begin with HTTP/1.1 and a status");
        }
        int status = Integer.parseInt(line.substring(9, 12));
        String reason = line.length() > 13 ? line.substring(13) : "";
        HeaderFields fields = HeaderFields.read(bytes, end + 2, to - 2);
        boolean empty = bodyless || status < 200 || status == 204 || status == 304;
        BodyFrame frame =
                empty ? BodyFrame.ofLength(0) : BodyFrame.of(fields, BodyFrame.untilClose());
        boolean keepAlive =
                line.startsWith("HTTP/1.1")
                        && !fields.lists("connection", "close")
                        && !frame.endsWithConnection();
        return new AnswerHead(status, reason, fields, keepAlive, frame);
    }

    /// The head as the client gets it. Fields that are about the connection of the replica are left
    /// out.
    ///
    /// @param replica the job that answers, for people who look for one
    public byte[] forClient(String replica, boolean close) {
        var text = new StringBuilder(256);
        text.append("HTTP/1.1 ").append(status).append(' ').append(reason).append("\r\n");
        fields.forEach(
                (name, value) -> {
                    if (!OF_ONE_CONNECTION.contains(name)) {
                        text.append(name).append(": ").append(value).append("\r\n");
                    }
                });
        text.append("x-gpu-scheduler-replica: ").append(replica).append("\r\n");
        if (close) {
            text.append("connection: close\r\n");
        }
        return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
