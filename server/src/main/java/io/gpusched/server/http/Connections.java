package io.gpusched.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/// HTTP connections that end when the rest of a request does not come. The web server itself ends
/// those that are quiet between two requests; one that fell silent in the middle of a request would
/// keep its place for ever. Under TLS this begins with the first request: a handshake that stops
/// half-way is not seen here.
final class Connections implements ServerConnectionSelector {
    private final ServerConnectionSelector http;
    private final Duration patience;

    /// @param patience how long to wait for the next piece of a request
    Connections(Http1Config config, Duration patience) {
        this.http = Http1ConnectionSelector.builder().config(config).build();
        this.patience = patience;
    }

    @Override
    public int bytesToIdentifyConnection() {
        return http.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return http.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return http.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        var arriving = new Arriving(context.dataReader());
        var seen = new Seen(context, new DataReader(arriving));
        return new Connection(http.connection(seen), arriving, patience);
    }

    /// What comes from the client, and since when somebody waits for it.
    private static final class Arriving implements Supplier<byte @Nullable []> {
        private final DataReader from;
        private @Nullable Thread waiting;
        private long since;

        Arriving(DataReader from) {
            this.from = from;
        }

        /// The next bytes; null when there will be none.
        @Override
        public byte @Nullable [] get() {
            begin();
            try {
                from.ensureAvailable();
                return from.readBytes(from.available());
            } catch (DataReader.InsufficientDataAvailableException end) {
                return null;
            } finally {
                end();
            }
        }

        private synchronized void begin() {
            waiting = Thread.currentThread();
            since = System.nanoTime();
        }

        private synchronized void end() {
            waiting = null;
        }

        synchronized void giveUpAfter(Duration patience) {
            if (waiting != null && System.nanoTime() - since > patience.toNanos()) {
                waiting.interrupt(); // Which closes its socket.
            }
        }
    }

    private record Connection(ServerConnection http, Arriving arriving, Duration patience)
            implements ServerConnection, InterruptableTask<Void> {
        @Override
        public void handle(Limit limit) throws InterruptedException {
            http.handle(limit);
        }

        @Override
        public Duration idleTime() {
            return http.idleTime();
        }

        /// Asked for every now and then where no request has been answered for a while.
        @Override
        public void close(boolean interrupt) {
            http.close(interrupt);
            arriving.giveUpAfter(patience);
        }

        @Override
        public boolean canInterrupt() {
            return http instanceof InterruptableTask<?> task && task.canInterrupt();
        }
    }

    /// The connection as the web server made it, but for its reader.
    private record Seen(ConnectionContext all, DataReader dataReader) implements ConnectionContext {
        @Override
        public ListenerContext listenerContext() {
            return all.listenerContext();
        }

        @Override
        public ExecutorService executor() {
            return all.executor();
        }

        @Override
        public DataWriter dataWriter() {
            return all.dataWriter();
        }

        @Override
        public Router router() {
            return all.router();
        }

        @Override
        public Optional<ProxyProtocolData> proxyProtocolData() {
            return all.proxyProtocolData();
        }

        @Override
        public HelidonSocket serverSocket() {
            return all.serverSocket();
        }

        @Override
        public PeerInfo remotePeer() {
            return all.remotePeer();
        }

        @Override
        public PeerInfo localPeer() {
            return all.localPeer();
        }

        @Override
        public boolean isSecure() {
            return all.isSecure();
        }

        @Override
        public String socketId() {
            return all.socketId();
        }

        @Override
        public String childSocketId() {
            return all.childSocketId();
        }
    }
}
