package io.gpusched.gateway;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// A replica that speaks the streaming protocol of OpenAI over real sockets, and does to each
/// request what its script says: answer, wait, crash, hang or talk nonsense.
final class ScriptedReplica implements AutoCloseable {
    /// What is done to one request.
    interface Script {
        void play(Exchange exchange) throws IOException, InterruptedException;
    }

    /// @param head request line and header fields
    record Exchange(String head, String body, Socket socket, OutputStream out) {
        String line() {
            return head.lines().findFirst().orElseThrow();
        }

        void write(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        void beginStream() throws IOException {
            write(
                    """
                    HTTP/1.1 200 OK\r
                    content-type: text/event-stream\r
                    transfer-encoding: chunked\r
                    \r
                    """);
        }

        void event(String data) throws IOException {
            String text = "data: " + data + "\n\n";
            int length = text.getBytes(StandardCharsets.UTF_8).length;
            write(Integer.toHexString(length) + "\r\n" + text + "\r\n");
        }

        void token(String word) throws IOException {
            event("{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + word + "\"}}]}");
        }

        void endStream() throws IOException {
            event("[DONE]");
            write("0\r\n\r\n");
        }

        void json(int status, String text) throws IOException {
            write(
                    "HTTP/1.1 %s X\r\ncontent-type: application/json\r\ncontent-length: %s\r\n\r\n%s"
                            .formatted(status, text.getBytes(StandardCharsets.UTF_8).length, text));
        }
    }

    private final ServerSocket server = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final List<Exchange> requests = new CopyOnWriteArrayList<>();
    private volatile Script script = streaming("hello", " world");
    private volatile Script metrics = exchange -> exchange.json(404, "{}");
    private volatile boolean healthy = true;
    private final AtomicInteger disconnects = new AtomicInteger();

    ScriptedReplica() throws IOException {
        Thread.ofVirtual().name("replica-accept").start(this::accept);
    }

    static Script streaming(String... words) {
        return exchange -> {
            exchange.beginStream();
            for (String word : words) {
                exchange.token(word);
            }
            exchange.endStream();
        };
    }

    static Script crashing() {
        return exchange -> {
            exchange.socket.setSoLinger(true, 0);
            exchange.socket.close();
        };
    }

    ScriptedReplica script(Script next) {
        script = next;
        return this;
    }

    ScriptedReplica metrics(Script next) {
        metrics = next;
        return this;
    }

    ScriptedReplica healthy(boolean now) {
        healthy = now;
        return this;
    }

    int port() {
        return server.getLocalPort();
    }

    /// Requests other than probes and scrapes, in the order in which they came.
    List<Exchange> requests() {
        return requests;
    }

    int disconnects() {
        return disconnects.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                Thread.ofVirtual().name("replica").start(() -> serve(socket));
            }
        } catch (SocketException _) {
            // Closed by the test.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var in = new BufferedInputStream(socket.getInputStream());
            while (!socket.isClosed()) {
                play(socket, in);
            }
        } catch (EOFException _) {
            // The gateway closed a connection that it did not need.
        } catch (IOException e) {
            disconnects.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(socket);
        }
    }

    private void play(Socket socket, InputStream in) throws IOException, InterruptedException {
        String head = head(in);
        int length = 0;
        for (String line : head.split("\r\n")) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        var exchange = new Exchange(head, body, socket, socket.getOutputStream());
        if (head.startsWith("GET /health ")) {
            exchange.json(healthy ? 200 : 503, "{}");
        } else if (head.startsWith("GET /metrics ")) {
            metrics.play(exchange);
        } else {
            requests.add(exchange);
            script.play(exchange);
        }
    }

    private static String head(InputStream in) throws IOException {
        var text = new StringBuilder();
        while (!text.toString().endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException();
            }
            text.append((char) next);
        }
        return text.toString();
    }

    /// Takes no further connection. What it has begun goes on.
    void refuse() throws IOException {
        server.close();
    }

    /// Dies: no further connection, and every open one is reset.
    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            try {
                socket.setSoLinger(true, 0);
            } catch (SocketException _) {
                // The other side closed it first.
            }
            socket.close();
        }
    }
}
