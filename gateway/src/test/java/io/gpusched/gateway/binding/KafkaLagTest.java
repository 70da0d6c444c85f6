package io.gpusched.gateway.binding;

import static io.gpusched.gateway.binding.Readings.assertProblem;
import static io.gpusched.gateway.binding.Readings.binding;
import static io.gpusched.gateway.binding.Readings.depth;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

final class KafkaLagTest {
    private static final TopicPartition FIRST = new TopicPartition("orders", 0);
    private static final TopicPartition SECOND = new TopicPartition("orders", 1);

    private static KafkaBroker broker;

    @BeforeAll
    static void start() {
        broker = KafkaBroker.start("reader", "se\"c\\ret");
    }

    @AfterAll
    static void stop() {
        if (broker != null) {
            broker.close();
        }
    }

    private static Binding topic(String name, String group) {
        return binding("kafka", "kafka://127.0.0.1:" + broker.port(), name, group);
    }

    @Test
    void theDepthIsTheLagOfTheConsumerGroup() throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", "127.0.0.1:" + broker.port());
        var bytes = new ByteArraySerializer();
        try (Admin admin = Admin.create(settings);
                var producer = new KafkaProducer<>(settings, bytes, bytes)) {
            admin.createTopics(List.of(new NewTopic("orders", 2, (short) 1))).all().get();
            Binding orders = topic("orders", "workers");
            assertThat(depth(orders)).isZero();
            for (int i = 0; i < 10; i++) {
                producer.send(new ProducerRecord<>("orders", i % 2, null, new byte[10])).get();
            }
            assertThat(depth(orders)).as("before the first commit").isEqualTo(10);
            commit(admin, Map.of(FIRST, 3L));
            assertThat(depth(orders)).isEqualTo(7);
            commit(admin, Map.of(FIRST, 5L, SECOND, 5L));
            assertThat(depth(orders)).isZero();
            assertThat(depth(topic("orders", "others"))).isEqualTo(10);
            admin.deleteRecords(Map.of(FIRST, RecordsToDelete.beforeOffset(4))).all().get();
            assertThat(depth(topic("orders", "others"))).as("deleted unread").isEqualTo(6);
            assertThat(depth(signedIn("se%22c%5Cret"))).isZero();
        }
    }

    private static void commit(Admin admin, Map<TopicPartition, Long> offsets) throws Exception {
        for (Map.Entry<TopicPartition, Long> each : offsets.entrySet()) {
            var offset = new OffsetAndMetadata(each.getValue());
            admin.alterConsumerGroupOffsets("workers", Map.of(each.getKey(), offset)).all().get();
        }
    }

    private static Binding signedIn(String password) {
        String url = "kafka://reader:" + password + "@127.0.0.1:" + broker.saslPort();
        return binding("kafka", url, "orders", "workers");
    }

    @Test
    void wrongCredentialsTopicsAndServersAreNamed() {
        assertProblem(signedIn("canary-3"), "refused the credentials");
        assertProblem(topic("none", "workers"), "no such topic");
        assertProblem(topic("no topic", "workers"), "no such topic");
        assertProblem(topic("orders", ""), "group is empty");
        assertProblem(
                binding("kafka", "kafka://a:canary@127.0.0.1?mechanism=OAUTH", "orders", "g"),
                "mechanism PLAIN, SCRAM-SHA-256");
        assertProblem(binding("kafka", "kafka://no.such.host.invalid", "orders", "g"), "no host");
        assertProblem(binding("kafka", "http://127.0.0.1", "orders", "g"), "kafka:// or kafkas://");
    }
}
