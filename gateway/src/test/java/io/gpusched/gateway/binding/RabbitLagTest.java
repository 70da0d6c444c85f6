package io.gpusched.gateway.binding;

import static io.gpusched.gateway.binding.Readings.assertProblem;
import static io.gpusched.gateway.binding.Readings.binding;
import static io.gpusched.gateway.binding.Readings.depth;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class RabbitLagTest {
    private static RabbitServer server;

    @BeforeAll
    static void start() {
        server = RabbitServer.start("reader", "pass word");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static String url(String credentials) {
        return "amqp://" + credentials + "@127.0.0.1:" + server.port();
    }

    private static Binding queue(String name, String connection) {
        return binding("rabbitmq", connection, name, "");
    }

    @Test
    void theDepthIsTheMessagesThatAreReady() throws Exception {
        var factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(server.port());
        factory.setUsername("reader");
        factory.setPassword("pass word");
        Binding orders = queue("orders", url("reader:pass%20word"));
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            channel.confirmSelect();
            channel.queueDeclare("orders", false, false, false, null);
            assertThat(depth(orders)).isZero();
            for (int i = 0; i < 9; i++) {
                channel.basicPublish("", "orders", null, new byte[10]);
            }
            channel.waitForConfirmsOrDie();
            assertThat(depth(orders)).isEqualTo(9);
            assertThat(channel.basicGet("orders", true)).isNotNull();
            assertThat(depth(orders)).isEqualTo(8);
            assertThat(depth(queue("orders", url("reader:pass%20word") + "/%2F"))).isEqualTo(8);
        }
    }

    @Test
    void wrongCredentialsQueuesAndServersAreNamed() {
        assertProblem(queue("orders", url("reader:canary-2")), "refused the credentials");
        assertProblem(queue("none", url("reader:pass%20word")), "no such queue");
        assertProblem(queue("x", url("reader:pass%20word") + "/other"), "refused the credentials");
        assertProblem(queue("x", "amqp://127.0.0.1:" + ServerProcess.freePort()), "no server");
        assertProblem(queue("x", "amqps://a:canary@127.0.0.1:" + server.port()), "TLS failed");
        assertProblem(queue("x", "redis://127.0.0.1"), "amqp:// or amqps://");
    }
}
