package io.gpusched.bench.load;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Sends requests over a number of connections, each of them one after the other: the next one goes
/// out when the last one was answered.
///
/// One thread serves all connections. Answers that become ready together (a group commit releases
/// many at once) are then taken in one go, where a thread for each connection would be woken for
/// each answer; the processor time saved belongs to the server.
public final class LoadDriver {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SocketAddress server;
    private final int connections;
    private final List<ByteBuffer> requests = new ArrayList<>();
    private final int wanted;

    private long acknowledged;
    private long accepted;
    private long refused;
    private String firstRefusal = "";
    private Latencies latencies = new Latencies();
    private int next;

    /// @param requests whole requests, head and body, sent in turn
    /// @param wanted the status that counts
    public LoadDriver(SocketAddress server, int connections, List<byte[]> requests, int wanted) {
        this.server = server;
        this.connections = connections;
        this.wanted = wanted;
        for (byte[] request : requests) {
            this.requests.add(ByteBuffer.allocateDirect(request.length).put(request).flip());
        }
    }

    /// Drives for both times together and counts in the second. Returns when every request that was
    /// sent has been answered.
    public LoadCounts drive(Duration warmUp, Duration window) throws IOException {
        return drive(warmUp, window, Long.MAX_VALUE);
    }

    /// Sends `count` requests as fast as they are answered.
    public LoadCounts send(long count) throws IOException {
        return drive(Duration.ZERO, Duration.ofDays(1), count);
    }

    private LoadCounts drive(Duration warmUp, Duration window, long most) throws IOException {
        acknowledged = 0;
        accepted = 0;
        refused = 0;
        firstRefusal = "";
        latencies = new Latencies();
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        var exchanges = new ArrayList<Exchange>();
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < Math.min(connections, most); i++) {
                var exchange = new Exchange(server);
                exchanges.add(exchange);
                exchange.channel().register(selector, SelectionKey.OP_READ, exchange);
            }
            long begin = System.nanoTime();
            long from = begin + warmUp.toNanos();
            long until = from + window.toNanos();
            long ended = run(selector, exchanges, from, until, most);
            return new LoadCounts(
                    acknowledged,
                    accepted,
                    refused,
                    firstRefusal,
                    Duration.ofNanos(Math.min(ended, until) - from),
                    latencies,
                    Duration.ofNanos(
                            ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu));
        } finally {
            for (Exchange exchange : exchanges) {
                exchange.close();
            }
        }
    }

    /// Returns when the last answer came.
    private long run(Selector selector, List<Exchange> exchanges, long from, long until, long most)
            throws IOException {
        long now = System.nanoTime();
        long sent = 0;
        for (Exchange exchange : exchanges) {
            exchange.send(nextRequest(), now);
            sent++;
        }
        int under = exchanges.size();
        while (under > 0) {
            selector.select(PATIENCE.toMillis());
            now = System.nanoTime();
            if (selector.selectedKeys().isEmpty() || now > until + PATIENCE.toNanos()) {
                throw new IOException(
                        under
                                + " requests were not answered within "
                                + PATIENCE.toSeconds()
                                + " s");
            }
            for (SelectionKey key : selector.selectedKeys()) {
                var exchange = (Exchange) key.attachment();
                if (!exchange.receive()) {
                    continue;
                }
                count(exchange, now, from, until);
                if (now < until && sent < most) {
                    exchange.send(nextRequest(), System.nanoTime());
                    sent++;
                } else {
                    under--;
                }
            }
            selector.selectedKeys().clear();
        }
        return now;
    }

    private void count(Exchange exchange, long now, long from, long until) {
        if (exchange.status() != wanted) {
            refused++;
            firstRefusal = firstRefusal.isEmpty() ? exchange.text() : firstRefusal;
            return;
        }
        acknowledged++;
        if (now >= from && now < until) {
            accepted++;
            latencies.add(now - exchange.sentAt());
        }
    }

    private ByteBuffer nextRequest() {
        next = (next + 1) % requests.size();
        return requests.get(next);
    }
}
