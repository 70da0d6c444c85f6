package io.gpusched.gateway;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// A client that writes and reads bytes as they are.
final class RawClient implements AutoCloseable {
    private final Socket socket;

    RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) GatewayScene.PATIENCE.toMillis());
    }

    void write(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void post(String path, String body) throws IOException {
        write(
                "POST %s HTTP/1.1\r\nhost: x\r\ncontent-length: %s\r\n\r\n%s"
                        .formatted(path, body.length(), body));
    }

    /// Whether there is something to read.
    boolean hasAnswer() {
        try {
            return socket.getInputStream().available() > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Reads until the text has come. Returns the number of bytes that were read.
    long readUntil(String text) throws IOException {
        var end = new StringBuilder();
        var buffer = new byte[64 * 1024];
        long total = 0;
        while (end.indexOf(text) < 0) {
            int length = socket.getInputStream().read(buffer);
            if (length < 0) {
                throw new EOFException("the connection ended before '" + text + "': " + end);
            }
            total += length;
            end.append(new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
            if (end.length() > 256 * 1024) {
                end.delete(0, end.length() - 1024);
            }
        }
        return total;
    }

    /// The status of a page of the gateway. The connection stays open.
    int status(String path) {
        try {
            write("GET " + path + " HTTP/1.1\r\nhost: x\r\n\r\n");
            var head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int next = socket.getInputStream().read();
                if (next < 0) {
                    throw new EOFException("the connection ended within the head: " + head);
                }
                head.append((char) next);
            }
            String length = head.toString().replaceFirst("(?s).*content-length: (\\d+).*", "$1");
            socket.getInputStream().readNBytes(Integer.parseInt(length));
            return Integer.parseInt(head.substring(9, 12));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Everything until the gateway closes the connection.
    String readAll() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
