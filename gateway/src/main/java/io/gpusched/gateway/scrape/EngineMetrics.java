package io.gpusched.gateway.scrape;

import io.gpusched.gateway.pool.EngineReading;

import org.jspecify.annotations.Nullable;

import java.util.TreeMap;

/// The figures of a serving engine at one scrape, under the names that vLLM, SGLang, TGI and Triton
/// give them. Null means that the engine does not have the figure.
///
/// @param firstToken times in seconds
/// @param prefill times in seconds that are to be added to those of the first token
/// @param interToken times in seconds
record EngineMetrics(
        @Nullable Double running,
        @Nullable Double waiting,
        @Nullable Double kv,
        @Nullable IntervalHistogram firstToken,
        @Nullable IntervalHistogram prefill,
        @Nullable IntervalHistogram interToken) {
    private static final double MILLIS = 1e3;

    /// Reports with more are refused by the scheduler, and a report contains all replicas.
    private static final double MOST_REQUESTS = 1e9;

    private static final double MOST_FIRST_TOKEN_MILLIS = 86_400_000;
    private static final double MOST_INTER_TOKEN_MILLIS = 1_000_000;
    private static final String PREFILL = "method=\"prefill\"";

    /// Takes a figure from a page, under one name.
    private interface Figure<T> {
        @Nullable T find(String name) throws BadMetrics;
    }

    static EngineMetrics of(MetricSamples page) throws BadMetrics {
        Double kv =
                first(
                        page::max,
                        "vllm_kv_cache_usage_perc",
                        "vllm_gpu_cache_usage_perc",
                        "sglang_token_usage");
        if (kv != null && kv > 1) {
            throw new BadMetrics("expected 0 to 1 for the use of the KV cache, found " + kv);
        }
        var metrics =
                new EngineMetrics(
                        first(
                                page::sum,
                                "vllm_num_requests_running",
                                "sglang_num_running_reqs",
                                "tgi_batch_current_size"),
                        first(
                                page::sum,
                                "vllm_num_requests_waiting",
                                "sglang_num_queue_reqs",
                                "tgi_queue_size"),
                        kv,
                        firstToken(page),
                        times(page, "tgi_batch_inference_duration", PREFILL),
                        first(
                                name -> histogram(page, name, 1),
                                "vllm_inter_token_latency_seconds",
                                "vllm_time_per_output_token_seconds",
                                "sglang_inter_token_latency_seconds",
                                "sglang_time_per_output_token_seconds",
                                "tgi_request_mean_time_per_token_duration"));
        within(MOST_REQUESTS, metrics.running, "for running requests");
        within(MOST_REQUESTS, metrics.waiting, "for waiting requests");
        if (metrics.isEmpty() && page.sum("nv_inference_request_success") == null) {
            throw new BadMetrics("no metric of vLLM, SGLang, TGI or Triton");
        }
        return metrics;
    }

    private static @Nullable Double within(double most, @Nullable Double value, String what)
            throws BadMetrics {
        if (value != null && value > most) {
            throw new BadMetrics("expected at most %.0f %s, found %s".formatted(most, what, value));
        }
        return value;
    }

    private boolean isEmpty() {
        return running == null
                && waiting == null
                && kv == null
                && firstToken == null
                && interToken == null;
    }

    private static <T> @Nullable T first(Figure<T> figure, String... names) throws BadMetrics {
        for (String name : names) {
            T found = figure.find(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static @Nullable IntervalHistogram firstToken(MetricSamples page) throws BadMetrics {
        IntervalHistogram seconds =
                first(
                        name -> histogram(page, name, 1),
                        "vllm_time_to_first_token_seconds",
                        "sglang_time_to_first_token_seconds");
        if (seconds != null) {
            return seconds;
        }
        IntervalHistogram triton =
                histogram(page, "nv_inference_first_response_histogram_ms", 1 / MILLIS);
        // TGI has no time to the first token: it is the time in the queue and in the prefill batch.
        return triton != null ? triton : times(page, "tgi_request_queue_duration", "");
    }

    /// A histogram without its buckets.
    private static @Nullable IntervalHistogram times(MetricSamples page, String name, String label)
            throws BadMetrics {
        Double sum = page.sum(name + "_sum", label);
        Double count = page.sum(name + "_count", label);
        return sum == null || count == null
                ? null
                : new IntervalHistogram(new TreeMap<>(), sum, count);
    }

    private static @Nullable IntervalHistogram histogram(
            MetricSamples page, String name, double unit) throws BadMetrics {
        Double sum = page.sum(name + "_sum");
        Double count = page.sum(name + "_count");
        if (sum == null || count == null) {
            return null;
        }
        var buckets = new TreeMap<Double, Double>();
        page.buckets(name).forEach((bound, value) -> buckets.put(bound * unit, value));
        return new IntervalHistogram(buckets, sum * unit, count);
    }

    /// The figures for the time since `before`; null for the first scrape.
    EngineReading since(@Nullable EngineMetrics before) throws BadMetrics {
        if (before == null) {
            return new EngineReading(running, waiting, kv, null, null, null);
        }
        return new EngineReading(
                running,
                waiting,
                kv,
                within(
                        MOST_FIRST_TOKEN_MILLIS,
                        millis(firstTokenSince(before)),
                        "ms to the first token"),
                millis(p95(firstToken, before.firstToken)),
                within(
                        MOST_INTER_TOKEN_MILLIS,
                        millis(mean(interToken, before.interToken)),
                        "ms between tokens"));
    }

    private @Nullable Double firstTokenSince(EngineMetrics before) {
        Double waited = mean(firstToken, before.firstToken);
        if (prefill == null || waited == null) {
            return waited;
        }
        Double filled = mean(prefill, before.prefill);
        return filled == null ? null : waited + filled;
    }

    private static @Nullable Double mean(
            @Nullable IntervalHistogram now, @Nullable IntervalHistogram before) {
        return now == null || before == null ? null : now.meanSince(before);
    }

    private static @Nullable Double p95(
            @Nullable IntervalHistogram now, @Nullable IntervalHistogram before) {
        return now == null || before == null ? null : now.p95Since(before);
    }

    private static @Nullable Double millis(@Nullable Double seconds) {
        return seconds == null ? null : seconds * MILLIS;
    }
}
