package io.gpusched.operator.kube.fake;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// The answer to one request: whole, or in chunks.
final class Exchange {
    private static final byte[] LINE_END = {'\r', '\n'};

    private final OutputStream out;

    Exchange(OutputStream out) {
        this.out = out;
    }

    void answer(int code, String type, byte[] body) throws IOException {
        String head =
                "HTTP/1.1 %d Answer\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                        .formatted(code, type, body.length);
        var whole = new ByteArrayOutputStream(head.length() + body.length);
        whole.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
        whole.writeBytes(body);
        out.write(whole.toByteArray());
        out.flush();
    }

    void begin() throws IOException {
        out.write(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                        .getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    void chunk(byte[] bytes) throws IOException {
        var whole = new ByteArrayOutputStream(bytes.length + 16);
        whole.writeBytes(Integer.toHexString(bytes.length).getBytes(StandardCharsets.ISO_8859_1));
        whole.writeBytes(LINE_END);
        whole.writeBytes(bytes);
        whole.writeBytes(LINE_END);
        out.write(whole.toByteArray());
        out.flush();
    }

    void end() throws IOException {
        out.write("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }
}
