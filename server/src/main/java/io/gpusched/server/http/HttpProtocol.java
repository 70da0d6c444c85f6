package io.gpusched.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.concurrency.limits.FixedLimit;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.context.Context;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.common.socket.PlainSocket;
import io.helidon.common.socket.TlsSocket;
import io.helidon.http.HeaderNames;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.media.MediaContext;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerConfig;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.Router;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.http1.spi.Http1Upgrader;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import javax.net.ssl.SSLSocket;

/// Runs Helidon's HTTP/1.1 without its listener: reads requests from a connection that [Acceptor]
/// accepted and writes the responses of one handler.
final class HttpProtocol {
    private final ServerConnectionSelector http;
    private final Limit unlimited = FixedLimit.create();
    private final AtomicLong connections = new AtomicLong();
    private final Listener listener;
    private final Router router;

    HttpProtocol(Handler handler, DirectHandlers faults, long mostBytes) {
        this(handler, List.of(), faults, mostBytes);
    }

    /// @param upgraders other protocols that a client may ask for
    HttpProtocol(
            Handler handler, List<Http1Upgrader> upgraders, DirectHandlers faults, long mostBytes) {
        var selector = Http1ConnectionSelector.builder();
        upgraders.forEach(selector::addUpgrader);
        http =
                selector.config(
                                Http1Config.builder()
                                        .validateRequestHeaders(true)
                                        .validateResponseHeaders(false)
                                        .build())
                        .build();
        listener =
                new Listener(
                        Context.create(),
                        MediaContext.create(),
                        ContentEncodingContext.create(),
                        faults,
                        ListenerConfig.builder()
                                .protocolsDiscoverServices(false)
                                .maxPayloadSize(mostBytes)
                                .build(),
                        Executors.newVirtualThreadPerTaskExecutor());
        router = Router.builder().addRouting(HttpRouting.builder().any(closing(handler))).build();
    }

    /// If the client asks for the end of the connection, the library announces it but then waits
    /// for the client to close. This handler closes the connection itself.
    private static Handler closing(Handler handler) {
        return (request, response) -> {
            handler.handle(request, response);
            boolean last =
                    request.headers().all(HeaderNames.CONNECTION, List::of).stream()
                            .anyMatch(value -> value.equalsIgnoreCase("close"));
            if (last) {
                throw new CloseConnectionException("the client asked for the end");
            }
        };
    }

    /// @param input the next bytes of the client; null at the end
    /// @param onUpgrade called when the connection takes another protocol
    ServerConnection connection(
            Socket socket,
            Supplier<byte @Nullable []> input,
            OutputStream output,
            Runnable onUpgrade) {
        String id = Long.toString(connections.incrementAndGet());
        HelidonSocket known =
                socket instanceof SSLSocket secure
                        ? TlsSocket.server(secure, id, "http")
                        : PlainSocket.server(socket, id, "http");
        return http.connection(
                new Client(
                        listener,
                        router,
                        known,
                        new DataReader(input),
                        new Output(output),
                        onUpgrade));
    }

    /// Answers requests until the connection ends.
    void handle(ServerConnection connection) throws InterruptedException {
        connection.handle(unlimited);
    }

    private record Listener(
            Context context,
            MediaContext mediaContext,
            ContentEncodingContext contentEncodingContext,
            DirectHandlers directHandlers,
            ListenerConfig config,
            ExecutorService executor)
            implements ListenerContext {}

    private record Output(OutputStream out) implements DataWriter {
        @Override
        public void write(BufferData... buffers) {
            writeNow(buffers);
        }

        @Override
        public void write(BufferData buffer) {
            writeNow(buffer);
        }

        @Override
        public void writeNow(BufferData... buffers) {
            writeNow(BufferData.create(buffers));
        }

        @Override
        public void writeNow(BufferData buffer) {
            try {
                buffer.writeTo(out);
                out.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Marks the connection as one that has taken another protocol: it is never cut for another
    /// client.
    static void upgraded(ConnectionContext connection) {
        if (connection instanceof Client client) {
            client.onUpgrade.run();
        }
    }

    private record Client(
            ListenerContext listenerContext,
            Router router,
            HelidonSocket socket,
            DataReader dataReader,
            DataWriter dataWriter,
            Runnable onUpgrade)
            implements ConnectionContext {
        @Override
        public ExecutorService executor() {
            return listenerContext.executor();
        }

        @Override
        public HelidonSocket serverSocket() {
            return socket;
        }

        @Override
        public PeerInfo remotePeer() {
            return socket.remotePeer();
        }

        @Override
        public PeerInfo localPeer() {
            return socket.localPeer();
        }

        @Override
        public boolean isSecure() {
            return socket.isSecure();
        }

        @Override
        public String socketId() {
            return socket.socketId();
        }

        @Override
        public String childSocketId() {
            return socket.childSocketId();
        }
    }
}
