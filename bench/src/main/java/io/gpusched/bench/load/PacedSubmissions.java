package io.gpusched.bench.load;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Submits jobs of several tenants in turn at a steady rate.
public final class PacedSubmissions {
    private static final int CONNECTIONS = 16;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SocketAddress server;
    private final List<ByteBuffer> requests = new ArrayList<>();
    private final long gapNanos;

    /// @param requests one for each tenant
    public PacedSubmissions(SocketAddress server, List<byte[]> requests, int perSecond) {
        this.server = server;
        this.gapNanos = Duration.ofSeconds(1).toNanos() / perSecond;
        requests.forEach(one -> this.requests.add(ByteBuffer.wrap(one)));
    }

    /// Submits for this long, and returns how many jobs of each tenant were accepted.
    public long[] submit(Duration window) throws IOException {
        long[] accepted = new long[requests.size()];
        var exchanges = new ArrayList<Exchange>();
        try (Selector selector = Selector.open()) {
            Deque<Exchange> free = new ArrayDeque<>();
            var tenantOf = new int[CONNECTIONS];
            for (int i = 0; i < CONNECTIONS; i++) {
                var exchange = new Exchange(server);
                exchanges.add(exchange);
                free.add(exchange);
                exchange.channel().register(selector, SelectionKey.OP_READ, exchange);
            }
            long begin = System.nanoTime();
            long until = begin + window.toNanos();
            long sent = 0;
            long now = begin;
            while (now < until || free.size() < CONNECTIONS) {
                while (now < until && !free.isEmpty() && begin + sent * gapNanos <= now) {
                    Exchange exchange = free.remove();
                    int tenant = (int) (sent % requests.size());
                    tenantOf[exchanges.indexOf(exchange)] = tenant;
                    exchange.send(requests.get(tenant), now);
                    sent++;
                }
                selector.select(1);
                for (SelectionKey key : selector.selectedKeys()) {
                    var exchange = (Exchange) key.attachment();
                    if (exchange.receive()) {
                        check(exchange);
                        accepted[tenantOf[exchanges.indexOf(exchange)]]++;
                        free.add(exchange);
                    }
                }
                selector.selectedKeys().clear();
                now = System.nanoTime();
                if (now > until + PATIENCE.toNanos()) {
                    throw new IOException("submissions were not answered in time");
                }
            }
            return accepted;
        } finally {
            for (Exchange exchange : exchanges) {
                exchange.close();
            }
        }
    }

    private static void check(Exchange exchange) throws IOException {
        if (exchange.status() != 201) {
            throw new IOException("a submission was refused: " + exchange.text());
        }
    }
}
