package io.gpusched.bench.load;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/// A server that reads whole requests and answers with fixed bytes, in pieces of a given size.
final class StandIn implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final LongFunction<String> answers;
    private final int piece;
    private final AtomicLong bodies = new AtomicLong();

    /// @param answers the answer to the n-th request, counted from 1
    StandIn(LongFunction<String> answers, int piece) throws IOException {
        this.answers = answers;
        this.piece = piece;
        Thread.ofVirtual().start(this::accept);
    }

    SocketAddress address() {
        return socket.getLocalSocketAddress();
    }

    long bodies() {
        return bodies.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = socket.accept();
                connection.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> serve(connection));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private void serve(Socket connection) {
        try (connection;
                var in = new BufferedInputStream(connection.getInputStream());
                OutputStream out = connection.getOutputStream()) {
            while (readRequest(in)) {
                byte[] answer =
                        answers.apply(bodies.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
                for (int at = 0; at < answer.length; at += piece) {
                    out.write(answer, at, Math.min(piece, answer.length - at));
                    out.flush();
                }
            }
        } catch (IOException e) {
            // The client has gone.
        }
    }

    private static boolean readRequest(InputStream in) throws IOException {
        int length = 0;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        return length > 0 && in.readNBytes(length).length == length;
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
