package io.gpusched.gateway.binding;

import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.ConsumerInfo;

import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;

import javax.net.ssl.SSLContext;

/// NATS JetStream: the messages of a stream that a durable consumer has not acknowledged. `queue`
/// names the stream, `group` the consumer.
final class NatsLag implements QueueLag {
    private static final int PORT = 4222;
    private static final int NOT_FOUND = 404;

    private final Connection connection;
    private final JetStreamManagement streams;
    private final String stream;
    private final String consumer;

    private NatsLag(Connection connection, JetStreamManagement streams, Binding binding) {
        this.connection = connection;
        this.streams = streams;
        this.stream = binding.queue();
        this.consumer = binding.group();
    }

    static QueueLag open(Binding binding, ConnectionAddress address)
            throws LagProblem, InterruptedException {
        try {
            return open(binding, address, SSLContext.getDefault());
        } catch (NoSuchAlgorithmException e) {
            throw new LagProblem("this JDK has no TLS; install another one");
        }
    }

    /// @param trust decides which authorities are trusted
    static QueueLag open(Binding binding, ConnectionAddress address, SSLContext trust)
            throws LagProblem, InterruptedException {
        if (binding.group().isEmpty()) {
            throw new LagProblem("group is empty; name the durable consumer of the stream");
        }
        if (!isName(binding.queue()) || !isName(binding.group())) {
            throw new LagProblem("queue or group is not a name that NATS accepts; correct it");
        }
        Connection connection;
        try {
            connection = Nats.connect(options(address, trust));
        } catch (AuthenticationException e) {
            throw LagProblem.credentials();
        } catch (IOException e) {
            throw new LagProblem(
                    "no NATS server can be reached; check hosts, ports and network, and with tls://"
                            + " that its certificate is trusted and names the host");
        }
        try {
            var patience = Duration.ofMillis(Pace.CLIENT_TIMEOUT_MILLIS);
            var settings = JetStreamOptions.builder().requestTimeout(patience).build();
            return new NatsLag(connection, connection.jetStreamManagement(settings), binding);
        } catch (IOException e) {
            connection.close();
            throw LagProblem.connecting(e);
        }
    }

    /// Other names would be part of a subject to which nothing answers.
    private static boolean isName(String text) {
        return text.matches("[^\\s.*>/\\\\\\p{Cntrl}]{1,255}");
    }

    private static Options options(ConnectionAddress address, SSLContext trust) throws LagProblem {
        boolean secure = address.isSecure("nats", "tls");
        String scheme = secure ? "tls://" : "nats://";
        List<String> servers =
                address.hosts().stream()
                        .map(host -> new ConnectionAddress.Host(host.name(), host.portOr(PORT)))
                        .map(host -> scheme + host.text())
                        .toList();
        var options =
                new Options.Builder()
                        .servers(servers.toArray(String[]::new))
                        .connectionName("gpu-scheduler gateway")
                        .connectionTimeout(Duration.ofMillis(Pace.CLIENT_TIMEOUT_MILLIS))
                        .noReconnect()
                        .dataPortType(GuardedNatsPort.class.getName())
                        // The default listener logs what went wrong with the address.
                        .errorListener(new ErrorListener() {});
        if (secure) {
            // Otherwise the client resolves the name first, and only the address could be checked.
            options.sslContext(NamedPeerTls.of(trust))
                    .hostnameResolveMode(Options.HostnameResolveMode.HappyEyeballs);
        }
        if (!address.password().isEmpty()) {
            options.userInfo(address.user().toCharArray(), address.password().toCharArray());
        } else if (!address.user().isEmpty()) {
            options.token(address.user().toCharArray());
        }
        return options.build();
    }

    @Override
    public long depth() throws LagProblem {
        try {
            ConsumerInfo consumerInfo = streams.getConsumerInfo(stream, consumer);
            return QueueLag.plausible(
                    QueueLag.plausible(consumerInfo.getNumPending())
                            + QueueLag.plausible(consumerInfo.getNumAckPending()));
        } catch (JetStreamApiException e) {
            throw e.getErrorCode() == NOT_FOUND
                    ? LagProblem.missing("stream or consumer")
                    : new LagProblem("JetStream refused the request; check that it is enabled");
        } catch (IOException | IllegalStateException e) {
            throw new LagProblem(
                    "JetStream did not answer; check that it is enabled and the user may read it");
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
