package io.gpusched.gateway.binding;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// The kinds of servers whose queues can be read.
enum Provider {
    REDIS(RedisLag::open),
    RABBITMQ(RabbitLag::open),
    NATS(NatsLag::open),
    KAFKA(KafkaLag::open),
    SQS(SqsLag::open),
    PROMETHEUS(PrometheusLag::open);

    /// Connects to the server of a binding.
    private interface Opener {
        QueueLag open(Binding binding, ConnectionAddress address)
                throws LagProblem, InterruptedException;
    }

    private final Opener opener;

    Provider(Opener opener) {
        this.opener = opener;
    }

    static QueueLag open(Binding binding, String connection)
            throws LagProblem, InterruptedException {
        for (Provider each : values()) {
            if (each.toString().equals(binding.provider().toLowerCase(Locale.ROOT))) {
                if (binding.queue().isEmpty()) {
                    throw new LagProblem("queue is empty; name the queue of the binding");
                }
                return each.opener.open(binding, ConnectionAddress.parse(connection));
            }
        }
        throw new LagProblem(
                "provider is not one of "
                        + Arrays.stream(values())
                                .map(Provider::toString)
                                .collect(Collectors.joining(", ")));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
