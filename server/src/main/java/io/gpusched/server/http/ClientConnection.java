package io.gpusched.server.http;

import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.spi.ServerConnection;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.Consumer;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/// One connection of a client, from the accepted socket to its end. A virtual thread runs it.
///
/// Every wait for the client has a deadline: the TLS handshake, the next piece of a request, room
/// for the next piece of an answer, and the end. The [Acceptor] checks the deadlines and cuts
/// connections that have missed theirs. However a connection ends, its socket is closed and `onEnd`
/// is called.
final class ClientConnection implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
    private static final String[] PROTOCOLS = {"http/1.1"};
    private static final int PIECE = 4096;

    /// The time and bytes that a connection may use.
    ///
    /// @param idle how long the client may send nothing, between two requests or within one, or
    ///        read nothing of a response
    /// @param grace how long the client may send nothing before the connection may be cut for
    ///        another client; a request may be on its way
    /// @param handshake how long a TLS handshake may take as a whole
    /// @param linger how long, at the end, the rest of what the client sends is read and discarded
    /// @param lingerBytes how much of it
    record Patience(
            Duration idle, Duration grace, Duration handshake, Duration linger, long lingerBytes) {
        static final Patience USUAL =
                new Patience(
                        Duration.ofMinutes(1),
                        Duration.ofMillis(200),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10),
                        64 << 20);

        Patience withIdle(Duration next) {
            return new Patience(next, grace, handshake, linger, lingerBytes);
        }

        Patience withGrace(Duration next) {
            return new Patience(idle, next, handshake, linger, lingerBytes);
        }

        Patience withHandshake(Duration next) {
            return new Patience(idle, grace, next, linger, lingerBytes);
        }

        Patience withLinger(Duration next, long bytes) {
            return new Patience(idle, grace, handshake, next, bytes);
        }
    }

    /// The connection waits for its client.
    ///
    /// @param since when it began to wait, in `System.nanoTime`
    /// @param until the deadline
    /// @param dispensable whether no request is lost when the connection is cut now
    private record Wait(long since, long until, boolean dispensable) {
        static Wait of(Duration limit, boolean dispensable) {
            long now = System.nanoTime();
            return new Wait(now, now + limit.toNanos(), dispensable);
        }
    }

    private final Socket raw;
    private final @Nullable SSLContext tls;
    private final Patience patience;
    private final HttpProtocol protocol;
    private final Consumer<ClientConnection> onEnd;
    private @Nullable Wait reading;
    private @Nullable Wait writing;
    private @Nullable Wait ending;
    private volatile boolean isUpgraded;
    private volatile @Nullable ServerConnection http;
    private volatile @Nullable Thread thread;

    ClientConnection(
            Socket raw,
            @Nullable SSLContext tls,
            Patience patience,
            HttpProtocol protocol,
            Consumer<ClientConnection> onEnd) {
        this.raw = raw;
        this.tls = tls;
        this.patience = patience;
        this.protocol = protocol;
        this.onEnd = onEnd;
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        try {
            raw.setTcpNoDelay(true);
            Socket socket = tls == null ? raw : handshake(tls);
            serve(socket);
            linger(socket);
        } catch (IOException | RuntimeException gone) {
            LOG.debug("a connection ended early", gone);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            cut();
            onEnd.accept(this);
        }
    }

    private Socket handshake(SSLContext context) throws IOException {
        var socket = (SSLSocket) context.getSocketFactory().createSocket(raw, null, false);
        socket.setUseClientMode(false);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(PROTOCOLS);
        socket.setSSLParameters(parameters);
        reading(patience.handshake, true);
        try {
            socket.startHandshake();
        } finally {
            hasRead();
        }
        return socket;
    }

    private void serve(Socket socket) throws IOException, InterruptedException {
        var input = socket.getInputStream();
        var output = socket.getOutputStream();
        ServerConnection connection =
                protocol.connection(
                        socket, () -> read(input), guarded(output), () -> isUpgraded = true);
        http = connection;
        try {
            protocol.handle(connection);
        } catch (CloseConnectionException ended) {
            LOG.debug("a connection was closed", ended);
        }
    }

    /// The next bytes of the client; null when there will be none.
    private byte @Nullable [] read(InputStream input) {
        reading(patience.idle, isBetweenRequests());
        try {
            byte[] piece = new byte[PIECE];
            int length = input.read(piece);
            if (length < 0) {
                return null;
            }
            return length == PIECE ? piece : Arrays.copyOf(piece, length);
        } catch (IOException e) {
            throw new CloseConnectionException("the connection broke while reading", e);
        } finally {
            hasRead();
        }
    }

    private OutputStream guarded(OutputStream output) {
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                writing(patience.idle);
                try {
                    output.write(bytes, from, length);
                } finally {
                    hasWritten();
                }
            }

            @Override
            public void flush() throws IOException {
                output.flush();
            }
        };
    }

    /// Closes the sending side and reads on for a while. If a socket is closed with unread bytes, a
    /// client that still sends may lose the last response.
    private void linger(Socket socket) throws IOException {
        ending(patience.linger);
        try {
            socket.shutdownOutput();
            if (tls != null) {
                raw.shutdownOutput();
            }
            InputStream rest = raw.getInputStream();
            byte[] piece = new byte[PIECE];
            long left = patience.lingerBytes;
            for (int read = 0; read >= 0 && left > 0; left -= read) {
                read = rest.read(piece);
            }
        } finally {
            hasEnded();
        }
    }

    /// A connection with another protocol has no requests that could be lost or not.
    private boolean isBetweenRequests() {
        return !isUpgraded && http instanceof InterruptableTask<?> task && task.canInterrupt();
    }

    // A WebSocket reads on one thread and writes on another, so both have a deadline of their own.

    private synchronized void reading(Duration limit, boolean dispensable) {
        reading = Wait.of(limit, dispensable);
    }

    private synchronized void hasRead() {
        reading = null;
    }

    private synchronized void writing(Duration limit) {
        writing = Wait.of(limit, false);
    }

    private synchronized void hasWritten() {
        writing = null;
    }

    private synchronized void ending(Duration limit) {
        ending = Wait.of(limit, true);
    }

    private synchronized void hasEnded() {
        ending = null;
    }

    /// Cuts the connection if the client has missed a deadline.
    synchronized void cutIfLate(long now) {
        if (isLate(reading, now) || isLate(writing, now) || isLate(ending, now)) {
            cut();
        }
    }

    private static boolean isLate(@Nullable Wait wait, long now) {
        return wait != null && now - wait.until > 0;
    }

    /// What the connection waits for, if it waits for its client only.
    private @Nullable Wait waiting() {
        return ending != null ? ending : writing != null ? writing : reading;
    }

    /// Cuts the connection if it [is silent][#silentUntil]; returns whether it did.
    synchronized boolean cutIfSilent() {
        if (silentUntil().isPresent()) {
            cut();
            return true;
        }
        return false;
    }

    /// The deadline of a connection that may be cut for another client: no request is lost, and the
    /// client has sent nothing for longer than the grace. Empty if it must not be cut.
    synchronized OptionalLong silentUntil() {
        Wait wait = waiting();
        return wait != null
                        && mayBeCut(wait)
                        && System.nanoTime() - wait.since > patience.grace.toNanos()
                ? OptionalLong.of(wait.until)
                : OptionalLong.empty();
    }

    private boolean mayBeCut(Wait wait) {
        return wait.dispensable && !hasUnreadBytes();
    }

    /// Whether the client has sent bytes that this connection's thread has not read yet. On a busy
    /// machine a request can lie there for a while before the thread runs.
    private boolean hasUnreadBytes() {
        try {
            return raw.getInputStream().available() > 0;
        } catch (IOException closed) {
            return false;
        }
    }

    /// Ends at the next moment at which no request is lost.
    void finish() {
        ServerConnection connection = http;
        if (connection != null) {
            connection.close(false);
        }
        synchronized (this) {
            Wait wait = waiting();
            if (wait != null && mayBeCut(wait)) {
                cut();
            }
        }
    }

    /// Ends now. The thread that waits for the client wakes up with an exception.
    void cut() {
        try {
            raw.close();
        } catch (IOException e) {
            LOG.debug("a socket could not be closed", e);
        }
    }

    /// Ends now, whatever its thread waits for.
    void abort() {
        cut();
        Thread present = thread;
        if (present != null) {
            present.interrupt();
        }
    }
}
