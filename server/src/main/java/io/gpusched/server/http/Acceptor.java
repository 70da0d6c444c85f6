package io.gpusched.server.http;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Accepts connections on one port, and limits how many are open at a time.
///
/// A connection takes a permit before it is accepted and returns it when its thread ends. When all
/// permits are taken, the connection that has been silent longest is cut for the next one, so
/// clients that only hold connections open cannot keep others out.
///
/// An accept that fails, for example because the process has too many files open, is tried again.
/// If accepting has failed for [#GIVE_UP_AFTER], or the thread fails, `onDeath` is called: a
/// process that no client can reach should be restarted.
final class Acceptor implements AutoCloseable {
    static final Duration GIVE_UP_AFTER = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration FAREWELL = Duration.ofSeconds(5);
    private static final Duration MOST_BETWEEN_SWEEPS = Duration.ofSeconds(1);

    /// How many silent connections are cut after an accept that failed.
    private static final int CUT_AFTER_FAILURE = 16;

    /// When all connections are taken, one silent connection is cut for every so many.
    private static final int CUT_OF_ALL = 64;

    private static final Duration NOTICED_AFTER = Duration.ofSeconds(1);
    private static final Duration BETWEEN_CUTS = Duration.ofMillis(50);

    private final ServerSocket listening;
    private final int mostConnections;
    private final Duration sweep;
    private final Opening opening;
    private final Consumer<Throwable> onDeath;
    private final Duration giveUpAfter;
    private final Semaphore permits;
    private final Set<ClientConnection> live = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile String trouble = "";
    private long failingSince;

    /// Makes a connection of an accepted socket.
    interface Opening {
        /// @param onEnd must be called once, when the connection ends
        ClientConnection open(Socket socket, Consumer<ClientConnection> onEnd);
    }

    Acceptor(
            ServerSocket listening,
            int mostConnections,
            ClientConnection.Patience patience,
            Opening opening,
            Consumer<Throwable> onDeath) {
        this(listening, mostConnections, patience, opening, onDeath, GIVE_UP_AFTER);
    }

    Acceptor(
            ServerSocket listening,
            int mostConnections,
            ClientConnection.Patience patience,
            Opening opening,
            Consumer<Throwable> onDeath,
            Duration giveUpAfter) {
        this.listening = listening;
        this.mostConnections = mostConnections;
        this.sweep = sweep(patience);
        this.opening = opening;
        this.onDeath = onDeath;
        this.giveUpAfter = giveUpAfter;
        this.permits = new Semaphore(mostConnections);
    }

    private static Duration sweep(ClientConnection.Patience patience) {
        Duration shortest =
                patience.idle().compareTo(patience.handshake()) < 0
                        ? patience.idle()
                        : patience.handshake();
        Duration quarter = shortest.dividedBy(4);
        return quarter.compareTo(MOST_BETWEEN_SWEEPS) < 0 ? quarter : MOST_BETWEEN_SWEEPS;
    }

    void start() {
        Thread.ofPlatform().name("accept-" + port()).daemon().start(this::accept);
        Thread.ofPlatform().name("sweep-" + port()).daemon().start(this::sweep);
    }

    int port() {
        return listening.getLocalPort();
    }

    /// Why no connection is accepted at the moment; empty when connections are accepted.
    String trouble() {
        return trouble;
    }

    /// How many connections are open.
    int connections() {
        return mostConnections - permits.availablePermits();
    }

    private void accept() {
        try {
            while (!isClosing()) {
                acceptOne();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable broken) {
            if (!isClosing()) {
                if (trouble.isEmpty()) {
                    trouble = "port %d accepts no connections: %s".formatted(port(), broken);
                }
                LOG.error("port {} cannot accept connections any more", port(), broken);
                onDeath.accept(broken);
            }
        }
    }

    private void acceptOne() throws InterruptedException {
        if (!permits.tryAcquire()) {
            awaitPermit();
        }
        boolean started = false;
        try {
            Socket socket = listening.accept();
            accepted();
            started = serve(socket);
        } catch (IOException e) {
            failed(e);
        } finally {
            if (!started) {
                permits.release();
            }
        }
    }

    /// Waits for a permit, and cuts silent connections for it as soon as there are any.
    private void awaitPermit() throws InterruptedException {
        int some = Math.max(1, mostConnections / CUT_OF_ALL);
        long since = System.nanoTime();
        cutSilent(some);
        while (!permits.tryAcquire(BETWEEN_CUTS.toMillis(), TimeUnit.MILLISECONDS)) {
            if (trouble.isEmpty() && System.nanoTime() - since > NOTICED_AFTER.toNanos()) {
                trouble =
                        "port %d accepts no connections: all %d are being answered"
                                .formatted(port(), mostConnections);
                LOG.warn("{}", trouble);
            }
            cutSilent(some);
        }
        if (!trouble.isEmpty()) {
            trouble = "";
            LOG.info("port {} accepts connections again", port());
        }
    }

    /// Starts the connection's thread; false if it could not be started and the permit is free
    /// again.
    private boolean serve(Socket socket) throws IOException {
        ClientConnection connection = null;
        boolean started = false;
        try {
            connection = opening.open(socket, this::ended);
            live.add(connection);
            Thread.ofVirtual().name("http-", socket.getPort()).start(connection);
            started = true;
        } finally {
            if (!started) {
                if (connection != null) {
                    live.remove(connection);
                }
                socket.close();
            }
        }
        return true;
    }

    private void ended(ClientConnection connection) {
        live.remove(connection);
        permits.release();
    }

    private void accepted() {
        if (failingSince != 0) {
            failingSince = 0;
            trouble = "";
            LOG.info("port {} accepts connections again", port());
        }
    }

    private void failed(IOException why) throws InterruptedException {
        if (isClosing()) {
            return;
        }
        long now = System.nanoTime();
        if (failingSince == 0) {
            failingSince = now;
            trouble = "port %d accepts no connections: %s".formatted(port(), why.getMessage());
            LOG.warn("{}; trying again", trouble);
        }
        if (listening.isClosed() || now - failingSince > giveUpAfter.toNanos()) {
            throw new IllegalStateException(
                    "port %d has accepted no connection for %s".formatted(port(), giveUpAfter),
                    why);
        }
        cutSilent(CUT_AFTER_FAILURE);
        closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Cuts connections on which no request is being answered, the longest silent ones first.
    private void cutSilent(int most) {
        record Silent(ClientConnection connection, long until) {}
        long now = System.nanoTime();
        List<Silent> silent =
                live.stream()
                        .map(one -> Map.entry(one, one.silentUntil()))
                        .filter(one -> one.getValue().isPresent())
                        .map(one -> new Silent(one.getKey(), one.getValue().getAsLong()))
                        .sorted(Comparator.comparingLong(one -> one.until - now))
                        .toList();
        int cut = 0;
        for (Silent one : silent) {
            if (cut == most) {
                return;
            }
            if (one.connection.cutIfSilent()) {
                cut++;
            }
        }
    }

    private void sweep() {
        try {
            while (!closing.await(sweep.toMillis(), TimeUnit.MILLISECONDS)) {
                long now = System.nanoTime();
                live.forEach(connection -> connection.cutIfLate(now));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    /// Accepts no more connections. Requests that are being answered may finish, within a time
    /// limit.
    @Override
    public void close() {
        closing.countDown();
        try {
            listening.close();
        } catch (IOException e) {
            LOG.debug("a listening socket could not be closed", e);
        }
        live.forEach(ClientConnection::finish);
        if (!isEmptyWithin(FAREWELL)) {
            live.forEach(ClientConnection::abort);
            isEmptyWithin(FAREWELL);
        }
    }

    /// Whether all connections have ended before the time is over.
    private boolean isEmptyWithin(Duration time) {
        try {
            if (!permits.tryAcquire(mostConnections, time.toNanos(), TimeUnit.NANOSECONDS)) {
                return false;
            }
            permits.release(mostConnections);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
