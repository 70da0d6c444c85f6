package io.gpusched.demo.process;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// One keep-alive HTTP connection to a server, read byte by byte. A client library would hide
/// whether an answer was cut off or never began.
final class Wire implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    Wire(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(60_000);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /// The result of a request.
    sealed interface Got {
        /// @param last whether the server closes the connection after it
        record Whole(int status, String body, boolean last) implements Got {}

        /// The connection ended before the answer began.
        record Nothing() implements Got {}

        /// The connection ended in the middle of the answer.
        record Half(String begun) implements Got {}
    }

    Got post(String path, String key, String body) {
        var head = new StringBuilder();
        try {
            byte[] content = body.getBytes(StandardCharsets.UTF_8);
            String request =
                    """
                    POST %s HTTP/1.1\r
                    Host: 127.0.0.1:%d\r
                    Idempotency-Key: %s\r
                    Content-Length: %d\r
                    \r
                    """
                            .formatted(path, socket.getPort(), key, content.length);
            out.write(request.getBytes(StandardCharsets.UTF_8));
            out.write(content);
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append(next());
            }
            String text = head.toString().toLowerCase(Locale.ROOT);
            int length = Integer.parseInt(after(text, "content-length: "));
            var answer = new StringBuilder();
            while (answer.length() < length) {
                char one = next();
                head.append(one);
                answer.append(one);
            }
            int status = Integer.parseInt(text.substring(9, 12));
            return new Got.Whole(status, answer.toString(), text.contains("connection: close\r\n"));
        } catch (IOException gone) {
            return head.isEmpty() ? new Got.Nothing() : new Got.Half(head.toString());
        }
    }

    private char next() throws IOException {
        int one = in.read();
        if (one < 0) {
            throw new EOFException();
        }
        return (char) one;
    }

    private static String after(String head, String name) {
        int from = head.indexOf(name) + name.length();
        return head.substring(from, head.indexOf('\r', from));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
