package io.gpusched.gateway.scrape;

import io.gpusched.gateway.http.AnswerHead;
import io.gpusched.gateway.http.AnswerReader;
import io.gpusched.gateway.http.BadHttp;
import io.gpusched.gateway.http.ByteQueue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// One GET request over a connection of its own, with a bound on its whole time and on its bytes.
final class PlainFetch {
    /// @param text the body
    record Page(int status, String text) {}

    private final Duration patience;
    private final int mostBytes;

    PlainFetch(Duration patience, int mostBytes) {
        this.patience = patience;
        this.mostBytes = mostBytes;
    }

    /// @throws IOException with a sentence that says what went wrong
    Page fetch(InetSocketAddress address, String path) throws IOException {
        long deadline = System.nanoTime() + patience.toNanos();
        try (var socket = new Socket()) {
            socket.connect(address, remaining(deadline));
            socket.getOutputStream()
                    .write(
                            ("GET "
                                            + path
                                            + " HTTP/1.1\r\nhost: "
                                            + address.getHostString()
                                            + ':'
                                            + address.getPort()
                                            + "\r\naccept: text/plain, */*;q=0.5\r\n"
                                            + "connection: close\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
            return read(socket, deadline);
        } catch (SocketTimeoutException e) {
            throw new IOException("no whole answer within " + patience.toMillis() + " ms", e);
        } catch (BadHttp e) {
            throw new IOException(e.reason(), e);
        }
    }

    private Page read(Socket socket, long deadline) throws IOException, BadHttp {
        var in = new ByteQueue();
        var body = new ByteQueue();
        var reader = new AnswerReader();
        AnswerHead head = null;
        var buffer = new byte[16 * 1024];
        while (head == null || !head.frame().isComplete()) {
            socket.setSoTimeout(remaining(deadline));
            int length = socket.getInputStream().read(buffer);
            if (length < 0) {
                if (head != null && head.frame().endsWithConnection()) {
                    break;
                }
                throw new IOException("the connection ended within the answer");
            }
            in.append(buffer, 0, length);
            head = head == null ? reader.read(in, false) : head;
            if (head != null) {
                int end =
                        head.frame()
                                .scan(
                                        in.array(),
                                        in.start(),
                                        in.end(),
                                        (bytes, from, to) -> body.append(bytes, from, to - from));
                in.consume(end - in.start());
            }
            if (body.length() > mostBytes) {
                throw new IOException("the answer is longer than " + mostBytes + " bytes");
            }
        }
        return new Page(head.status(), new String(body.toArray(), StandardCharsets.UTF_8));
    }

    private static int remaining(long deadline) throws SocketTimeoutException {
        long millis = (deadline - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
            throw new SocketTimeoutException();
        }
        return (int) millis;
    }
}
