package io.gpusched.bench.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Clients that ask for streamed answers, all on one thread: as fast as they are answered, or at a
/// steady rate.
public final class StreamDriver {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final byte[] EVENT = "data:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /// What was seen.
    ///
    /// @param whole answers that were complete and had every token
    /// @param cut answers that ended before their end
    /// @param lost requests without a byte of an answer, or with another status than 200
    /// @param firstLoss what came instead of an answer; empty if nothing was lost
    /// @param firstToken times to the first token of whole answers within the window
    /// @param total times to the last byte of those
    public record Counts(
            long whole,
            long cut,
            long lost,
            String firstLoss,
            double perSecond,
            Latencies firstToken,
            Latencies total) {}

    private static final class Client {
        private SocketChannel channel;
        private final byte[] answer = new byte[16 * 1024];
        private int length;
        private long askedAt;
        private long firstAt;
        private boolean busy;

        private Client(SocketChannel channel) {
            this.channel = channel;
        }
    }

    private final InetSocketAddress server;
    private final ByteBuffer request;
    private final int connections;
    private final double rate;
    private final ByteBuffer io = ByteBuffer.allocateDirect(64 * 1024);
    private final ArrayDeque<Client> idle = new ArrayDeque<>();
    private final Latencies firstToken = new Latencies();
    private final Latencies total = new Latencies();
    private long whole;
    private long counted;
    private long cut;
    private long lost;
    private String firstLoss = "";

    /// @param rate requests per second; 0 for as many as are answered
    public StreamDriver(InetSocketAddress server, String path, int connections, double rate) {
        this.server = server;
        this.connections = connections;
        this.rate = rate;
        String body =
                "{\"model\":\"chat\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\""
                        + "a question of about forty tokens ".repeat(5)
                        + "\"}]}";
        byte[] bytes =
                "POST %s HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: %s\r\n\r\n%s"
                        .formatted(path, body.length(), body)
                        .getBytes(StandardCharsets.US_ASCII);
        request = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    /// Asks for both times together and counts in the second; waits for the last answer.
    public Counts drive(Duration warmUp, Duration window) throws IOException {
        try (Selector selector = Selector.open()) {
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                var client = new Client(SocketChannel.open(server));
                register(client, selector);
                clients.add(client);
                idle.add(client);
            }
            long from = System.nanoTime() + warmUp.toNanos();
            run(selector, from, from + window.toNanos());
            for (Client client : clients) {
                client.channel.close();
            }
        }
        double perSecond = counted / (window.toNanos() / 1e9);
        return new Counts(whole, cut, lost, firstLoss, perSecond, firstToken, total);
    }

    private static void register(Client client, Selector selector) throws IOException {
        client.channel.configureBlocking(false);
        client.channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        client.channel.register(selector, SelectionKey.OP_READ, client);
    }

    private void run(Selector selector, long from, long until) throws IOException {
        long due = System.nanoTime();
        long between = rate > 0 ? (long) (1e9 / rate) : 0;
        while (true) {
            long now = System.nanoTime();
            while (now < until && !idle.isEmpty() && (between == 0 || due <= now)) {
                ask(idle.poll(), between == 0 ? now : due);
                due += between;
            }
            if (now >= until && idle.size() == connections) {
                return;
            }
            if (now > until + PATIENCE.toNanos()) {
                throw new IOException(connections - idle.size() + " answers never ended");
            }
            long wait = between == 0 ? 100 : Math.max(0, (due - now) / 1_000_000);
            if (wait > 0) {
                selector.select(wait);
            } else {
                selector.selectNow();
            }
            now = System.nanoTime();
            for (SelectionKey key : selector.selectedKeys()) {
                read((Client) key.attachment(), selector, now, now >= from && now < until);
            }
            selector.selectedKeys().clear();
        }
    }

    private void ask(Client client, long at) throws IOException {
        client.length = 0;
        client.firstAt = 0;
        client.askedAt = at;
        client.busy = true;
        ByteBuffer bytes = request.duplicate();
        while (bytes.hasRemaining()) {
            client.channel.write(bytes);
        }
    }

    private void read(Client client, Selector selector, long now, boolean counts)
            throws IOException {
        io.clear();
        int length;
        try {
            length = client.channel.read(io);
        } catch (IOException e) {
            length = -1;
        }
        if (length < 0) {
            closed(client, selector);
            return;
        }
        io.flip().get(client.answer, client.length, length);
        client.length += length;
        if (client.firstAt == 0 && count(client) > 0) {
            client.firstAt = now;
        }
        if (endsWith(client, END) || isRefusal(client)) {
            complete(client, now, counts);
        }
    }

    private void complete(Client client, long now, boolean counts) {
        client.busy = false;
        idle.add(client);
        if (count(client) != FakeReplicas.TOKENS + 1) {
            loss(client);
            return;
        }
        whole++;
        if (counts) {
            counted++;
            firstToken.add(client.firstAt - client.askedAt);
            total.add(now - client.askedAt);
        }
    }

    private void closed(Client client, Selector selector) throws IOException {
        client.channel.close();
        if (client.busy) {
            client.busy = false;
            idle.add(client);
            if (client.length > 0) {
                cut++;
            } else {
                loss(client);
            }
        }
        client.channel = SocketChannel.open(server);
        register(client, selector);
    }

    private void loss(Client client) {
        lost++;
        if (firstLoss.isEmpty()) {
            firstLoss =
                    "lost: " + new String(client.answer, 0, client.length, StandardCharsets.UTF_8);
        }
    }

    /// An answer of another status is taken as whole with its first bytes: gateways write those at
    /// once.
    private static boolean isRefusal(Client client) {
        return client.length > 12 && client.answer[9] != '2';
    }

    private static boolean endsWith(Client client, byte[] word) {
        for (int i = 1; i <= word.length; i++) {
            if (client.length < word.length
                    || client.answer[client.length - i] != word[word.length - i]) {
                return false;
            }
        }
        return true;
    }

    private static int count(Client client) {
        int count = 0;
        for (int at = 0; at <= client.length - EVENT.length; at++) {
            int same = 0;
            while (same < EVENT.length && client.answer[at + same] == EVENT[same]) {
                same++;
            }
            count += same == EVENT.length ? 1 : 0;
        }
        return count;
    }
}
