package io.gpusched.gateway.binding;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;

import javax.net.ssl.SSLSocketFactory;

/// Asks servers for their versions before the Kafka client is let loose on them.
///
/// The client takes the first four bytes of an answer for its length and reserves that much memory.
/// Of `HTTP` that is 1.2 GB, which would end the process: a wrong port is enough.
final class KafkaGreeting {
    private static final short API_VERSIONS = 18;
    private static final int CORRELATION = 1;
    private static final int REQUEST_BYTES = 10;

    /// Short, because a server that is slow now is asked again by the client.
    private static final int PATIENCE_MILLIS = 1_000;

    private static final int LEAST_ANSWER = 4;
    private static final int MOST_ANSWER = 1 << 20;

    private KafkaGreeting() {}

    /// Servers that give no answer are left to the client, which says what is wrong with them.
    static void check(List<ConnectionAddress.Host> hosts, boolean secure) throws LagProblem {
        for (ConnectionAddress.Host host : hosts) {
            if (!isKafka(host, secure)) {
                throw new LagProblem(
                        "a server of the connection does not speak the protocol of Kafka; check"
                                + " hosts and ports, and kafkas:// for TLS");
            }
        }
    }

    private static boolean isKafka(ConnectionAddress.Host host, boolean secure) {
        try (Socket socket = new Socket()) {
            var address = new InetSocketAddress(host.name(), host.port());
            socket.connect(address, PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            if (!secure) {
                return answersInKafka(socket);
            }
            var tls = (SSLSocketFactory) SSLSocketFactory.getDefault();
            try (Socket inner = tls.createSocket(socket, host.name(), host.port(), true)) {
                return answersInKafka(inner);
            }
        } catch (IOException | IllegalArgumentException e) {
            return true;
        }
    }

    private static boolean answersInKafka(Socket socket) throws IOException {
        ByteBuffer request = ByteBuffer.allocate(Integer.BYTES + REQUEST_BYTES);
        request.putInt(REQUEST_BYTES).putShort(API_VERSIONS).putShort((short) 0);
        request.putInt(CORRELATION).putShort((short) -1);
        socket.getOutputStream().write(request.array());
        var answer = new DataInputStream(socket.getInputStream());
        int length = answer.readInt();
        return length >= LEAST_ANSWER && length <= MOST_ANSWER && answer.readInt() == CORRELATION;
    }
}
