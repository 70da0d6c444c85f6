package io.gpusched.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpusched.wire.proto.agent.AgentServiceGrpc;
import io.gpusched.wire.proto.agent.RegisterAgentRequest;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/// Messages about failed connections between agent and scheduler; the failures are real.
final class ConnectionFailureTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    /// A TLS alert: the answer of a TLS server to a client without TLS.
    private static final byte[] ALERT = {21, 3, 3, 0, 2, 2, 70};

    /// The first frame of HTTP/2 without TLS.
    private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

    @Test
    void aSchedulerThatSpeaksTlsIsMetWithTheFlagForIt() throws Exception {
        assertThat(toldBySomebodyWhoSays(ALERT, true)).contains("--tls-ca FILE");
    }

    @Test
    void aSchedulerWithoutTlsIsMetWithTheFlagForIt() throws Exception {
        assertThat(toldBySomebodyWhoSays(SETTINGS, false)).contains("--plaintext yes");
    }

    @Test
    void theRestPortIsTakenForWhatItIs() throws Exception {
        byte[] rest = "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        for (boolean plaintext : new boolean[] {true, false}) {
            assertThat(toldBySomebodyWhoSays(rest, plaintext))
                    .contains("REST port", "9090")
                    .doesNotContain("--tls-ca", "--plaintext");
        }
    }

    @Test
    void aRefusedConnectionIsNotMistakenForATlsProblem() throws Exception {
        int port;
        try (ServerSocket taken = new ServerSocket(0, 1, HERE)) {
            port = taken.getLocalPort();
        }
        assertThat(problem(port, true)).contains("Connection refused").doesNotContain("--tls-ca");
    }

    @Test
    void aRefusedTokenNamesTheOption() {
        assertThat(ConnectionFailure.explain(Status.UNAUTHENTICATED.withDescription("unknown")))
                .contains("unknown")
                .contains("--join-token-file");
    }

    private static String toldBySomebodyWhoSays(byte[] words, boolean plaintext) throws Exception {
        Thread server;
        String told;
        try (ServerSocket listening = new ServerSocket(0, 1, HERE)) {
            server = Thread.ofVirtual().start(() -> say(words, listening));
            told = problem(listening.getLocalPort(), plaintext);
        }
        server.join();
        return told;
    }

    private static String problem(int port, boolean plaintext) throws InterruptedException {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress("127.0.0.1", port);
        ManagedChannel channel = (plaintext ? builder.usePlaintext() : builder).build();
        try {
            StatusRuntimeException failure =
                    catchThrowableOfType(
                            StatusRuntimeException.class,
                            () ->
                                    AgentServiceGrpc.newBlockingStub(channel)
                                            .withDeadlineAfter(30, TimeUnit.SECONDS)
                                            .registerAgent(
                                                    RegisterAgentRequest.getDefaultInstance()));
            String told = ConnectionFailure.explain(failure.getStatus());
            assertThat(told)
                    .as("without the innards of the library")
                    .doesNotContain("Pipeline", "Hex dump", "failed with error", "\n")
                    .doesNotContainPattern("[0-9a-f]{8}");
            return told;
        } finally {
            channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
        }
    }

    private static void say(byte[] words, ServerSocket listening) {
        while (!listening.isClosed()) {
            try (Socket socket = listening.accept()) {
                var _ = socket.getInputStream().read();
                socket.getOutputStream().write(words);
                socket.shutdownOutput();
                // Closing with words unread would reset the line, and ours might not be heard.
                socket.getInputStream().transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                if (!listening.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
