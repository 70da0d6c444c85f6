package io.gpusched.wire.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.core.pool.QueueRule;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.pool.Secret;
import io.gpusched.wire.request.JsonReader;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.Parsed;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/// The documents beside a pool's own: its load, models and bindings.
final class PoolRequestsTest {
    @Test
    void aLoadReportIsReadWithMissingNumbersAsZero() {
        PoolLoad load =
                valid(
                        LoadRequest.read(
                                tree(
                                        """
                                        {"source": "gw-1", "sequence": 17, "over_ms": 1000,
                                         "arrivals": 5, "ttft_p95_ms": 120.4, "answered": 3,
                                         "within_slo": 2, "replicas": [{"job_id": "job-7",
                                         "ready": true, "running": 3, "kv": 0.41, "itl_ms": 30.5}]}
                                        """)));
        assertThat(load)
                .isEqualTo(
                        new PoolLoad(
                                "gw-1",
                                17,
                                Duration.ofSeconds(1),
                                5,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                0,
                                3,
                                2,
                                120,
                                List.of(
                                        new ReplicaLoad(
                                                new JobId(7),
                                                true,
                                                3,
                                                0,
                                                0,
                                                410,
                                                0,
                                                30_500,
                                                0,
                                                0))));
    }

    @Test
    void aLoadReportWithoutASourceOrWithImpossibleNumbersIsRefused() {
        assertThat(fields(LoadRequest.read(tree("{\"arrivals\": -1}"))))
                .containsExactlyInAnyOrder("source", "arrivals");
        assertThat(
                        fields(
                                LoadRequest.read(
                                        tree(
                                                "{\"source\": \"a\", \"answered\": 1,"
                                                        + " \"within_slo\": 2}"))))
                .containsExactly("within_slo");
    }

    @Test
    void aSourceMayBeAsLongAsTheNameOfAGateway() {
        String report = "{\"source\": \"%s\"}";
        assertThat(LoadRequest.read(tree(report.formatted("x".repeat(128)))))
                .isInstanceOf(Parsed.Valid.class);
        assertThat(fields(LoadRequest.read(tree(report.formatted("x".repeat(129))))))
                .containsOnly("source");
    }

    @Test
    void aReplicaWithAnUnreadableIdIsIgnored() {
        var parsed =
                (Parsed.Valid<PoolLoad, Problem>)
                        LoadRequest.read(
                                tree("{\"source\": \"a\", \"replicas\": [{\"job_id\": \"x\"}]}"));
        assertThat(parsed.value().replicas()).isEmpty();
        assertThat(parsed.warnings()).containsExactly("a replica was ignored: job_id is \"x\"");
    }

    @Test
    void theDocumentOfAModelReadsAsTheSameModel() {
        ModelSpec model =
                valid(
                        ServedModelRequest.read(
                                tree(
                                        """
                                        {"uri": "s3://m/llama", "size_bytes": 16000000000,
                                         "load_seconds": 45, "cache_priority": "high",
                                         "eviction": "never", "pin_seconds": "1h",
                                         "preload_nodes": ["n1"], "smaller": "tiny"}
                                        """),
                                "llama"));
        assertThat(model.cachePriority()).isEqualTo(2);
        assertThat(model.eviction()).isEqualTo(ModelSpec.Eviction.NEVER);
        assertThat(valid(ServedModelRequest.read(ServedModelRequest.document(model), "")))
                .isEqualTo(model);
        assertThat(fields(ServedModelRequest.read(tree("{\"eviction\": \"lru\"}"), "m")))
                .containsExactly("eviction");
    }

    @Test
    void aBindingHidesItsConnection() {
        String secret = "redis://:hunter2@host:6379";
        QueueBinding binding =
                valid(
                        BindingRequest.read(
                                tree(
                                        """
                                        {"pool": "chat", "provider": "redis", "queue": "work",
                                         "connection": "%s", "prefetch": 10, "throughput": 5}
                                        """
                                                .formatted(secret)),
                                "jobs",
                                Secret.NONE));
        assertThat(binding.rule()).isEqualTo(new QueueRule(10, 5_000, 100));
        assertThat(binding.connection().text()).isEqualTo(secret);
        assertThat(binding.toString()).doesNotContain("hunter2");
        assertThat(BindingRequest.document(binding, false).toString()).doesNotContain("hunter2");
        assertThat(
                        valid(
                                BindingRequest.read(
                                        BindingRequest.document(binding, false),
                                        "jobs",
                                        binding.connection())))
                .as("three asterisks keep the connection")
                .isEqualTo(binding);
        assertThat(
                        valid(
                                BindingRequest.read(
                                        BindingRequest.document(binding, true),
                                        "jobs",
                                        Secret.NONE)))
                .isEqualTo(binding);
    }

    @Test
    void noProblemQuotesAConnection() {
        var parsed =
                (Parsed.Invalid<QueueBinding, Problem>)
                        BindingRequest.read(
                                tree("{\"connection\": [\"hunter2\"], \"provider\": \"x\"}"),
                                "b",
                                Secret.NONE);
        assertThat(parsed.problems())
                .extracting(Problem::field)
                .containsExactlyInAnyOrder("connection", "provider");
        assertThat(parsed.problems().toString()).doesNotContain("hunter2");
    }

    private static <T> T valid(Parsed<T, Problem> parsed) {
        assertThat(parsed).isInstanceOf(Parsed.Valid.class);
        return ((Parsed.Valid<T, Problem>) parsed).value();
    }

    private static <T> List<String> fields(Parsed<T, Problem> parsed) {
        assertThat(parsed).isInstanceOf(Parsed.Invalid.class);
        return ((Parsed.Invalid<T, Problem>) parsed)
                .problems().stream().map(Problem::field).toList();
    }

    private static JsonTree.Mapping tree(String json) {
        return new JsonReader(1 << 20).readObject(json.getBytes(StandardCharsets.UTF_8));
    }
}
