package io.gpusched.gateway.binding;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;

import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.SSLContext;

/// RabbitMQ: the messages of a queue that are ready, from a passive declaration. AMQP does not tell
/// how many messages were delivered and not acknowledged.
final class RabbitLag implements QueueLag {
    private static final int PORT = 5672;
    private static final int TLS_PORT = 5671;

    private final Connection connection;
    private final Channel channel;
    private final String queue;

    private RabbitLag(Connection connection, Channel channel, String queue) {
        this.connection = connection;
        this.channel = channel;
        this.queue = queue;
    }

    static QueueLag open(Binding binding, ConnectionAddress address) throws LagProblem {
        Connection connection;
        try {
            connection = factory(address).newConnection("gpu-scheduler gateway");
        } catch (IOException | TimeoutException | ShutdownSignalException e) {
            throw problem(e);
        }
        try {
            return new RabbitLag(connection, connection.createChannel(), binding.queue());
        } catch (IOException | ShutdownSignalException e) {
            connection.abort(Pace.CLIENT_TIMEOUT_MILLIS);
            throw problem(e);
        }
    }

    private static ConnectionFactory factory(ConnectionAddress address) throws LagProblem {
        boolean secure = address.isSecure("amqp", "amqps");
        ConnectionAddress.Host host = address.host();
        var factory = new ConnectionFactory();
        factory.setHost(host.name());
        factory.setPort(host.portOr(secure ? TLS_PORT : PORT));
        if (!address.user().isEmpty()) {
            factory.setUsername(address.user());
            factory.setPassword(address.password());
        }
        if (!address.path().isEmpty()) {
            factory.setVirtualHost(address.path());
        }
        factory.setAutomaticRecoveryEnabled(false);
        factory.setConnectionTimeout(Pace.CLIENT_TIMEOUT_MILLIS);
        factory.setHandshakeTimeout(Pace.CLIENT_TIMEOUT_MILLIS);
        factory.setChannelRpcTimeout(Pace.CLIENT_TIMEOUT_MILLIS);
        factory.setThreadFactory(
                Thread.ofPlatform().daemon().name("binding-rabbitmq-", 0).factory());
        if (secure) {
            try {
                factory.useSslProtocol(SSLContext.getDefault());
            } catch (NoSuchAlgorithmException e) {
                throw LagProblem.connecting(e);
            }
            factory.enableHostnameVerification();
        }
        return factory;
    }

    @Override
    public long depth() throws LagProblem {
        try {
            return QueueLag.plausible(channel.queueDeclarePassive(queue).getMessageCount());
        } catch (IOException | ShutdownSignalException e) {
            throw problem(e);
        }
    }

    private static LagProblem problem(Exception failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof AuthenticationFailureException
                    || each instanceof PossibleAuthenticationFailureException) {
                return LagProblem.credentials();
            }
            if (each instanceof ShutdownSignalException signal
                    && !(each instanceof AlreadyClosedException)) {
                int code = code(signal);
                if (code == AMQP.NOT_FOUND) {
                    return LagProblem.missing("queue");
                }
                if (code == AMQP.ACCESS_REFUSED || code == AMQP.NOT_ALLOWED) {
                    return LagProblem.credentials();
                }
            }
        }
        return LagProblem.connecting(failure);
    }

    private static int code(ShutdownSignalException signal) {
        return switch (signal.getReason()) {
            case AMQP.Channel.Close close -> close.getReplyCode();
            case AMQP.Connection.Close close -> close.getReplyCode();
            case null, default -> 0;
        };
    }

    @Override
    public void close() {
        connection.abort(Pace.CLIENT_TIMEOUT_MILLIS);
    }
}
