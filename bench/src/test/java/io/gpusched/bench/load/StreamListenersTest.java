package io.gpusched.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Listeners of a server that cuts its chunks wherever it can.
@Timeout(60)
final class StreamListenersTest {
    private static final String BEGIN = "retry: 2000\nid: 1-0\n\n";

    @Test
    void eventsAreCountedWhereverTheirChunksAreCut() throws Exception {
        String stream =
                BEGIN + event("2-0") + ": alive\nid: 2-5\n\n" + event("3-1") + event("10-0");
        for (int piece : new int[] {1, 2, 3, 7, 64, 4096}) {
            assertThat(wrong(stream, piece, 3)).as("pieces of %d", piece).isZero();
        }
    }

    @Test
    void repeatedEventsAndResyncsAreWrong() throws Exception {
        assertThat(wrong(BEGIN + event("3-0") + event("2-0"), 64, 2)).isEqualTo(1);
        String resync = "id: 4-0\nevent: resync\ndata: {}\n\n";
        assertThat(wrong(BEGIN + event("3-0") + resync, 64, 2)).isEqualTo(1);
    }

    private static String event(String id) {
        return "id: " + id + "\nevent: running\ndata: {\"message\":\"naïve\"}\n\n";
    }

    private static long wrong(String stream, int piece, long events) throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> serve(server, stream, piece));
            var address = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
            byte[] request = StreamListeners.request("localhost", "kind=running", "token");
            try (var listeners = new StreamListeners(address, List.of(request))) {
                long wrong = listeners.read(new AtomicBoolean(true), new long[] {events});
                assertThat(listeners.events()).isEqualTo(events);
                return wrong;
            }
        }
    }

    private static void serve(ServerSocket server, String stream, int piece) {
        try {
            Socket socket = server.accept();
            OutputStream out = socket.getOutputStream();
            out.write(
                    "HTTP/1.1 200 OK\r\nContent-Type: x\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] bytes = stream.getBytes(StandardCharsets.UTF_8);
            for (int from = 0; from < bytes.length; from += piece) {
                int length = Math.min(piece, bytes.length - from);
                out.write(
                        (Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
                out.write(bytes, from, length);
                out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
