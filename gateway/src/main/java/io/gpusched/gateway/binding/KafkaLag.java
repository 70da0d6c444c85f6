package io.gpusched.gateway.binding;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Kafka: the messages of a topic behind the offsets that a consumer group has committed. A
/// partition without a committed offset counts from its first message, so that a pool without
/// replicas starts when the first message arrives.
final class KafkaLag implements QueueLag {
    private static final int PORT = 9092;
    private static final String SCRAM = "SCRAM-SHA-";

    private final Admin admin;
    private final String topic;
    private final String group;

    private KafkaLag(Admin admin, Binding binding) {
        this.admin = admin;
        this.topic = binding.queue();
        this.group = binding.group();
    }

    static QueueLag open(Binding binding, ConnectionAddress address) throws LagProblem {
        if (binding.group().isEmpty()) {
            throw new LagProblem("group is empty; name the consumer group of the topic");
        }
        Map<String, Object> settings = settings(address);
        KafkaGreeting.check(hosts(address), address.isSecure("kafka", "kafkas"));
        try {
            return new KafkaLag(Admin.create(settings), binding);
        } catch (KafkaException e) {
            throw e.getCause() instanceof ConfigException
                    ? new LagProblem(
                            "no host of the connection is known, or a setting is wrong; check the"
                                    + " connection")
                    : problem(e);
        }
    }

    private static Map<String, Object> settings(ConnectionAddress address) throws LagProblem {
        boolean secure = address.isSecure("kafka", "kafkas");
        boolean signsIn = !address.user().isEmpty();
        var settings = new TreeMap<String, Object>();
        settings.put(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                hosts(address).stream()
                        .map(ConnectionAddress.Host::text)
                        .collect(Collectors.joining(",")));
        settings.put(AdminClientConfig.CLIENT_ID_CONFIG, "gpu-scheduler-gateway");
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, Pace.CLIENT_TIMEOUT_MILLIS);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Pace.CLIENT_TIMEOUT_MILLIS);
        settings.put(AdminClientConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        settings.put(AdminClientConfig.METRIC_REPORTER_CLASSES_CONFIG, List.of());
        settings.put(
                AdminClientConfig.SECURITY_PROTOCOL_CONFIG,
                (signsIn ? "SASL_" : "") + (secure ? "SSL" : "PLAINTEXT"));
        if (signsIn) {
            String mechanism = address.parameters().getOrDefault("mechanism", "PLAIN");
            settings.put(SaslConfigs.SASL_MECHANISM, mechanism);
            settings.put(SaslConfigs.SASL_JAAS_CONFIG, login(mechanism, address));
        }
        return settings;
    }

    private static List<ConnectionAddress.Host> hosts(ConnectionAddress address) {
        return address.hosts().stream()
                .map(host -> new ConnectionAddress.Host(host.name(), host.portOr(PORT)))
                .toList();
    }

    private static String login(String mechanism, ConnectionAddress address) throws LagProblem {
        String module;
        if (mechanism.equals("PLAIN")) {
            module = "plain.PlainLoginModule";
        } else if (mechanism.equals(SCRAM + 256) || mechanism.equals(SCRAM + 512)) {
            module = "scram.ScramLoginModule";
        } else {
            throw ConnectionAddress.malformed("mechanism PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512");
        }
        return "org.apache.kafka.common.security.%s required username=\"%s\" password=\"%s\";"
                .formatted(module, quoted(address.user()), quoted(address.password()));
    }

    private static String quoted(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    @Override
    public long depth() throws LagProblem, InterruptedException {
        try {
            return lag();
        } catch (ExecutionException | KafkaException e) {
            throw problem(e);
        }
    }

    private long lag() throws LagProblem, ExecutionException, InterruptedException {
        List<TopicPartition> partitions =
                description().partitions().stream()
                        .map(each -> new TopicPartition(topic, each.partition()))
                        .toList();
        Map<TopicPartition, ListOffsetsResultInfo> ends = offsets(partitions, OffsetSpec.latest());
        Map<TopicPartition, ListOffsetsResultInfo> starts =
                offsets(partitions, OffsetSpec.earliest());
        Map<TopicPartition, OffsetAndMetadata> done =
                admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
        long lag = 0;
        for (TopicPartition each : partitions) {
            ListOffsetsResultInfo start = starts.get(each);
            ListOffsetsResultInfo end = ends.get(each);
            OffsetAndMetadata committed = done.get(each);
            if (start == null || end == null) {
                throw LagProblem.garbage();
            }
            // Messages that were deleted before they were read are no work any more.
            long from = committed == null ? 0 : committed.offset();
            lag += QueueLag.plausible(Math.max(0, end.offset() - Math.max(from, start.offset())));
        }
        return QueueLag.plausible(lag);
    }

    private TopicDescription description()
            throws LagProblem, ExecutionException, InterruptedException {
        KafkaFuture<TopicDescription> future =
                admin.describeTopics(List.of(topic)).topicNameValues().get(topic);
        if (future == null) {
            throw LagProblem.missing("topic");
        }
        return future.get();
    }

    private Map<TopicPartition, ListOffsetsResultInfo> offsets(
            List<TopicPartition> partitions, OffsetSpec which)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> asked =
                partitions.stream().collect(Collectors.toMap(Function.identity(), each -> which));
        return admin.listOffsets(asked).all().get();
    }

    private static LagProblem problem(Exception failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SslAuthenticationException) {
                return new LagProblem(
                        "TLS failed; check the certificate of the server and the connection");
            }
            if (each instanceof AuthenticationException || each instanceof AuthorizationException) {
                return LagProblem.credentials();
            }
            if (each instanceof UnknownTopicOrPartitionException
                    || each instanceof InvalidTopicException) {
                return LagProblem.missing("topic");
            }
            if (each instanceof org.apache.kafka.common.errors.TimeoutException) {
                return LagProblem.late();
            }
        }
        return LagProblem.connecting(failure);
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
