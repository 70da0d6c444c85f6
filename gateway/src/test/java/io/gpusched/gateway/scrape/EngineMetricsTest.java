package io.gpusched.gateway.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.gateway.pool.EngineReading;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EngineMetricsTest {
    private static final Offset<Double> EXACT = within(1e-9);

    private static final String VLLM =
            """
            # HELP vllm:num_requests_running Number of requests.
            # TYPE vllm:num_requests_running gauge
            vllm:num_requests_running{engine="0",model_name="m"} 3.0
            vllm:num_requests_running{engine="1",model_name="m"} 2.0
            vllm:num_requests_waiting{engine="0",model_name="m"} 4.0
            vllm:kv_cache_usage_perc{engine="0",model_name="m"} 0.25
            vllm:kv_cache_usage_perc{engine="1",model_name="m"} 0.5
            vllm:time_to_first_token_seconds_bucket{le="0.1",model_name="m"} %1$s
            vllm:time_to_first_token_seconds_bucket{le="0.5",model_name="m"} %2$s
            vllm:time_to_first_token_seconds_bucket{le="+Inf",model_name="m"} %2$s
            vllm:time_to_first_token_seconds_sum{model_name="m"} %3$s
            vllm:time_to_first_token_seconds_count{model_name="m"} %2$s
            vllm:inter_token_latency_seconds_sum{model_name="m, with \\"quotes\\""} %3$s
            vllm:inter_token_latency_seconds_count{model_name="m"} %2$s
            """;

    @ParameterizedTest
    @ValueSource(strings = {":", "_"})
    void vllmIsRead(String separator) throws BadMetrics {
        String names = VLLM.replace("vllm:", "vllm" + separator);
        EngineReading reading =
                read(names.formatted(190, 200, 30)).since(read(names.formatted(100, 100, 10)));
        assertThat(reading.running()).isEqualTo(5);
        assertThat(reading.waiting()).isEqualTo(4);
        assertThat(reading.kv()).isEqualTo(0.5);
        assertThat(reading.firstTokenMillis()).isCloseTo(200, EXACT);
        assertThat(reading.interTokenMillis()).isCloseTo(200, EXACT);
        assertThat(reading.firstTokenP95Millis()).isCloseTo(300, EXACT);
    }

    @Test
    void theFirstScrapeHasNoTimes() throws BadMetrics {
        EngineReading reading = read(VLLM.formatted(1, 1, 1)).since(null);
        assertThat(reading.running()).isEqualTo(5);
        assertThat(reading.firstTokenMillis()).isNull();
    }

    @Test
    void aReplicaThatBeganAnewHasNoIntervals() throws BadMetrics {
        EngineReading reading =
                read(VLLM.formatted(1, 1, 1)).since(read(VLLM.formatted(100, 100, 10)));
        assertThat(reading.firstTokenMillis()).isNull();
        assertThat(reading.firstTokenP95Millis()).isNull();
    }

    @Test
    void sglangIsRead() throws BadMetrics {
        EngineReading reading =
                read("""
                sglang:num_running_reqs{model_name="m"} 7
                sglang:num_queue_reqs{model_name="m"} 1
                sglang:token_usage{model_name="m"} 0.28
                """)
                        .since(null);
        assertThat(reading.running()).isEqualTo(7);
        assertThat(reading.waiting()).isEqualTo(1);
        assertThat(reading.kv()).isEqualTo(0.28);
    }

    @Test
    void tgiHasItsFirstTokenAfterQueueAndPrefill() throws BadMetrics {
        String page =
                """
                tgi_queue_size 2
                tgi_batch_current_size 3
                tgi_request_queue_duration_sum %s
                tgi_request_queue_duration_count %s
                tgi_batch_inference_duration_sum{method="prefill"} %s
                tgi_batch_inference_duration_count{method="prefill"} %s
                tgi_batch_inference_duration_sum{method="decode"} 1000
                tgi_batch_inference_duration_count{method="decode"} 1
                """;
        EngineReading reading =
                read(page.formatted(10, 100, 20, 50)).since(read(page.formatted(9, 90, 18, 40)));
        assertThat(reading.running()).isEqualTo(3);
        assertThat(reading.waiting()).isEqualTo(2);
        assertThat(reading.firstTokenMillis()).isCloseTo(100 + 200, EXACT);
        assertThat(reading.kv()).isNull();
    }

    @Test
    void tritonHasFirstResponses() throws BadMetrics {
        String page =
                """
                nv_inference_request_success{model="m"} 5
                nv_inference_first_response_histogram_ms_sum{model="m"} %s
                nv_inference_first_response_histogram_ms_count{model="m"} %s
                """;
        EngineReading reading = read(page.formatted(900, 3)).since(read(page.formatted(100, 1)));
        assertThat(reading.firstTokenMillis()).isCloseTo(400, EXACT);
        assertThat(read("nv_inference_request_success 5\n").since(null).running()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html>not metrics</html>",
                "vllm:num_requests_running{engine=\"0\"} many",
                "vllm:num_requests_running -1",
                "vllm:num_requests_running NaN",
                "vllm:num_requests_running +Inf",
                "vllm:kv_cache_usage_perc 37",
                "vllm:num_requests_running 1000000001",
                "vllm:num_requests_waiting{engine=\"0\"} 1e9\n"
                        + "vllm:num_requests_waiting{engine=\"1\"} 1",
                "something_else 1",
                ""
            })
    void garbageIsNoReading(String page) {
        assertThatThrownBy(() -> read(page)).isInstanceOf(BadMetrics.class);
    }

    /// The scheduler refuses a report of a whole pool for one of these.
    @ParameterizedTest
    @ValueSource(strings = {"time_to_first_token", "inter_token_latency"})
    void timesThatNoReportMayHaveAreNoReading(String name) throws BadMetrics {
        String page = "vllm:%1$s_seconds_sum %2$s\nvllm:%1$s_seconds_count %3$s\n";
        EngineMetrics first = read(page.formatted(name, 0, 0));
        assertThat(read(page.formatted(name, 1_000, 1)).since(first).toString())
                .contains("1000000.0");
        EngineMetrics second = read(page.formatted(name, 86_400_001, 1));
        assertThatThrownBy(() -> second.since(first))
                .isInstanceOf(BadMetrics.class)
                .hasMessageContaining("expected at most");
    }

    private static EngineMetrics read(String page) throws BadMetrics {
        return EngineMetrics.of(MetricSamples.read(page));
    }
}
