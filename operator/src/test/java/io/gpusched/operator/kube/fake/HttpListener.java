package io.gpusched.operator.kube.fake;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import javax.net.ServerSocketFactory;

/// HTTP/1.1 with a virtual thread for each connection: less work per request than the server of the
/// JDK, and it can go away and come back at the same port.
final class HttpListener implements AutoCloseable {
    /// Answers requests.
    interface Handler {
        /// @throws IOException the connection is to be dropped
        void handle(ApiCall call, Exchange exchange) throws IOException, InterruptedException;
    }

    private static final int BACKLOG = 512;

    private final Handler handler;
    private final ServerSocketFactory factory;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final LongAdder accepted = new LongAdder();
    private final int port;
    private ServerSocket socket;
    private Thread acceptor;

    HttpListener(Handler handler, ServerSocketFactory factory) {
        this.handler = handler;
        this.factory = factory;
        this.socket = open(0);
        this.acceptor = accepting(socket);
        this.port = socket.getLocalPort();
    }

    private Thread accepting(ServerSocket from) {
        return Thread.ofVirtual().name("fake-api-accept").start(() -> accept(from));
    }

    long accepted() {
        return accepted.sum();
    }

    int port() {
        return port;
    }

    private ServerSocket open(int port) {
        try {
            ServerSocket opened = factory.createServerSocket();
            opened.setReuseAddress(true);
            opened.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
            return opened;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept(ServerSocket from) {
        while (!from.isClosed()) {
            try {
                Socket connection = from.accept();
                connections.add(connection);
                accepted.increment();
                Thread.ofVirtual().name("fake-api").start(() -> serve(connection));
                if (from.isClosed()) {
                    connection.close();
                }
            } catch (IOException e) {
                return; // Closed.
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            connection.setTcpNoDelay(true);
            var in = new BufferedInputStream(connection.getInputStream());
            var exchange = new Exchange(new BufferedOutputStream(connection.getOutputStream()));
            while (true) {
                String first = line(in);
                if (first.isEmpty()) {
                    return;
                }
                String[] words = first.split(" ");
                Map<String, String> headers = headers(in);
                handler.handle(
                        ApiCall.of(words[0], words[1], headers, body(in, headers)), exchange);
            }
        } catch (IOException e) {
            return; // The client has gone, or the server has.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.remove(connection);
        }
    }

    private static Map<String, String> headers(InputStream in) throws IOException {
        var headers = new HashMap<String, String>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return headers;
    }

    private static byte[] body(InputStream in, Map<String, String> headers) throws IOException {
        if (headers.getOrDefault("transfer-encoding", "").equals("chunked")) {
            var whole = new ByteArrayOutputStream();
            for (int size = chunk(in); size > 0; size = chunk(in)) {
                whole.writeBytes(in.readNBytes(size));
                line(in);
            }
            line(in);
            return whole.toByteArray();
        }
        return in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
    }

    private static int chunk(InputStream in) throws IOException {
        return Integer.parseInt(line(in), 16);
    }

    /// Empty at the end of the connection, too.
    private static String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int each = in.read(); each != '\n'; each = in.read()) {
            if (each < 0) {
                if (line.size() > 0) {
                    throw new EOFException();
                }
                return "";
            }
            if (each != '\r') {
                line.write(each);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    /// The port is free when the acceptor has ended.
    void goAway() throws IOException {
        socket.close();
        dropConnections();
        try {
            acceptor.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void dropConnections() throws IOException {
        for (Socket each : connections) {
            each.close();
        }
    }

    void comeBack() {
        socket = open(port);
        acceptor = accepting(socket);
    }

    @Override
    public void close() throws IOException {
        goAway();
    }
}
