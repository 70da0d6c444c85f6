package io.gpusched.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.server.config.ApiSection;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLContext;

/// A port keeps accepting connections, whatever clients do.
@Timeout(120)
final class AcceptorTest {
    private static final int MOST = 8;
    private static final String REQUEST =
            "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    private static final ClientConnection.Patience USUAL = ClientConnection.Patience.USUAL;

    @TempDir Path temp;

    private final CompletableFuture<Throwable> death = new CompletableFuture<>();
    private final CountDownLatch slow = new CountDownLatch(1);
    private final CountDownLatch answering = new CountDownLatch(MOST);
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        slow.countDown();
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    @Test
    void connectionsThatEndWithoutATlsHandshakeReturnTheirPermit() throws Exception {
        var signed = SelfSigned.in(temp);
        HttpServer server = start(secured(signed), USUAL);
        for (int i = 0; i < 20 * MOST; i++) {
            try (Socket socket = connect(server)) {
                if (i % 2 == 0) {
                    send(socket, "nonsense\r\n\r\n");
                }
            }
        }

        assertThat(ask(server, signed.trusting())).contains("200 OK");
        assertThat(server.trouble()).isEmpty();
    }

    @Test
    void aTlsHandshakeThatStopsHalfWayIsCutAfterAWhile() throws Exception {
        var signed = SelfSigned.in(temp);
        HttpServer server = start(secured(signed), USUAL.withHandshake(Duration.ofMillis(200)));
        try (Socket socket = connect(server)) {
            // The head of a handshake record that announces 512 bytes.
            socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});
            assertThat(read(socket)).isEmpty();
        }
        assertThat(ask(server, signed.trusting())).contains("200 OK");
    }

    @Test
    void silentConnectionsAreCutForNewOnes() throws Exception {
        HttpServer server = start(plain(), USUAL);
        var first = connect(server);
        send(first, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(first.getInputStream().read()).isEqualTo('H');
        for (int i = 0; i < 3 * MOST; i++) {
            connect(server);
        }

        assertThat(ask(server)).contains("200 OK");
        assertThat(server.trouble()).isEmpty();
    }

    @Test
    void connectionsThatAreBeingAnsweredAreNotCut() throws Exception {
        var patience =
                USUAL.withGrace(Duration.ofMinutes(1)).withLinger(Duration.ofMillis(100), 1 << 20);
        HttpServer server = start(plain(), patience);
        var busy = new ArrayList<Socket>();
        for (int i = 0; i < MOST; i++) {
            Socket socket = connect(server);
            send(socket, REQUEST.replace("GET /", "GET /slow"));
            busy.add(socket);
        }
        assertThat(answering.await(60, TimeUnit.SECONDS)).isTrue();
        Socket late = connect(server);
        send(late, REQUEST);
        await(() -> server.trouble().contains("all 8 are being answered"));
        slow.countDown();

        for (Socket socket : busy) {
            assertThat(read(socket)).contains("200 OK");
        }
        assertThat(read(late)).contains("200 OK");
        await(() -> server.trouble().isEmpty());
    }

    @Test
    void aConnectionWhoseRequestHasArrivedIsNotCutBeforeItsThreadReadsIt() throws Exception {
        var reading = new CountDownLatch(1);
        var mayRead = new CountDownLatch(1);
        try (var listening = listening(new LateReader(reading, mayRead));
                Socket client =
                        new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort());
                Socket accepted = listening.accept()) {
            var patience = USUAL.withGrace(Duration.ZERO);
            var connection = new ClientConnection(accepted, null, patience, hello(), ended -> {});
            Thread thread = Thread.ofVirtual().start(connection);
            reading.await();
            assertThat(connection.silentUntil()).isPresent();

            send(client, REQUEST);
            await(() -> connection.silentUntil().isEmpty());
            assertThat(connection.cutIfSilent()).isFalse();
            mayRead.countDown();

            assertThat(read(client)).contains("200 OK");
            client.shutdownOutput();
            thread.join();
        }
    }

    @Test
    void aConnectionIsNotCutBeforeItsGraceIsOver() throws Exception {
        var reading = new CountDownLatch(1);
        try (var listening = listening(new LateReader(reading, new CountDownLatch(0)));
                Socket client =
                        new Socket(InetAddress.getLoopbackAddress(), listening.getLocalPort());
                Socket accepted = listening.accept()) {
            var patience = USUAL.withGrace(Duration.ofHours(1));
            var connection = new ClientConnection(accepted, null, patience, hello(), ended -> {});
            Thread thread = Thread.ofVirtual().start(connection);
            reading.await();

            assertThat(connection.cutIfSilent()).isFalse();
            connection.finish();
            assertThat(read(client)).isEmpty();
            thread.join();
        }
    }

    @Test
    void anAcceptThatFailsIsTriedAgain() throws Exception {
        var failures = new AtomicInteger(3);
        try (var acceptor = failing(failures, Acceptor.GIVE_UP_AFTER);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), acceptor.port())) {
            send(socket, REQUEST);
            assertThat(read(socket)).contains("200 OK");
            assertThat(failures).hasValue(0);
            assertThat(acceptor.trouble()).isEmpty();
        }
        assertThat(death).isNotDone();
    }

    @Test
    void aPortThatCannotAcceptForTooLongReportsItsDeath() throws Exception {
        var failures = new AtomicInteger(Integer.MAX_VALUE);
        try (var acceptor = failing(failures, Duration.ofMillis(200))) {
            assertThat(death.get(60, TimeUnit.SECONDS))
                    .hasMessageContaining("has accepted no connection");
            assertThat(acceptor.trouble()).contains("Too many open files");
        }
    }

    /// A client that sends all of its body before it reads anything.
    @Test
    void aClientThatSendsTooMuchStillReadsTheResponse() throws Exception {
        HttpServer server = start(plain(), USUAL);
        byte[] body = new byte[6 << 20];
        for (String length : List.of("Content-Length: " + body.length, "Content-Length: 4000000")) {
            try (Socket socket = connect(server)) {
                send(socket, "POST / HTTP/1.1\r\nHost: localhost\r\n" + length + "\r\n\r\n");
                socket.getOutputStream().write(body);
                assertThat(read(socket)).contains(" 413 ").contains("too_large");
            }
        }
    }

    @Test
    void aClientThatNeverStopsSendingIsCut() throws Exception {
        HttpServer server = start(plain(), USUAL.withLinger(Duration.ofMinutes(5), 1 << 20));
        Socket socket = connect(server);
        send(socket, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 70000000\r\n\r\n");
        byte[] piece = new byte[1 << 16];
        boolean cut = false;
        while (!cut) {
            try {
                socket.getOutputStream().write(piece);
            } catch (IOException broken) {
                cut = true;
            }
        }
        assertThat(ask(server)).contains("200 OK");
    }

    private HttpServer start(ApiSection api, ClientConnection.Patience patience) {
        var server =
                HttpServer.start(
                        api,
                        new HttpServer.Port(0, "--port", MOST, death::complete),
                        (request, response) -> {
                            if (request.path().path().equals("/slow")) {
                                answering.countDown();
                                slow.await();
                            }
                            response.send("hello");
                        },
                        patience);
        open.add(server);
        return server;
    }

    /// An acceptor whose socket fails this many times before it accepts.
    private Acceptor failing(AtomicInteger failures, Duration giveUpAfter) throws IOException {
        var listening =
                new ServerSocket() {
                    @Override
                    public Socket accept() throws IOException {
                        if (failures.get() > 0) {
                            failures.decrementAndGet();
                            throw new SocketException("Too many open files");
                        }
                        return super.accept();
                    }
                };
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        HttpProtocol protocol = hello();
        var acceptor =
                new Acceptor(
                        listening,
                        MOST,
                        USUAL,
                        (socket, onEnd) ->
                                new ClientConnection(socket, null, USUAL, protocol, onEnd),
                        death::complete,
                        giveUpAfter);
        acceptor.start();
        return acceptor;
    }

    private static HttpProtocol hello() {
        return new HttpProtocol(
                (request, response) -> response.send("hello"), HttpServer.inJson(1 << 20), 1 << 20);
    }

    /// A listening socket that accepts its next connection into this socket.
    private static ServerSocket listening(Socket into) throws IOException {
        var listening =
                new ServerSocket() {
                    @Override
                    public Socket accept() throws IOException {
                        implAccept(into);
                        return into;
                    }
                };
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return listening;
    }

    /// A socket whose bytes are read only when the test allows it.
    private static final class LateReader extends Socket {
        private final CountDownLatch reading;
        private final CountDownLatch mayRead;

        LateReader(CountDownLatch reading, CountDownLatch mayRead) {
            this.reading = reading;
            this.mayRead = mayRead;
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read(byte[] into, int from, int length) throws IOException {
                    reading.countDown();
                    try {
                        mayRead.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    return super.read(into, from, length);
                }
            };
        }
    }

    private static ApiSection plain() {
        return api(false, Path.of(""), Path.of(""));
    }

    private static ApiSection secured(SelfSigned signed) {
        return api(true, signed.certificate(), signed.key());
    }

    private static ApiSection api(boolean tls, Path certificate, Path key) {
        return new ApiSection(
                "127.0.0.1",
                0,
                0,
                tls,
                certificate,
                key,
                false,
                List.of(),
                List.of(),
                0,
                1 << 20,
                false);
    }

    private Socket connect(HttpServer server) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        open.add(socket);
        return socket;
    }

    private String ask(HttpServer server) throws IOException {
        try (Socket socket = connect(server)) {
            send(socket, REQUEST);
            return read(socket);
        }
    }

    private static String ask(HttpServer server, SSLContext trusting) throws IOException {
        try (Socket socket =
                trusting.getSocketFactory()
                        .createSocket(InetAddress.getLoopbackAddress(), server.port())) {
            send(socket, REQUEST);
            return read(socket);
        }
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String read(Socket socket) throws IOException {
        socket.setSoTimeout(30_000); // Less than an idle connection may stay.
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void await(java.util.function.BooleanSupplier holds) {
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime() - until).isNegative();
            java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);
        }
    }
}
