package io.gpusched.gateway.admit;

import java.util.HashMap;
import java.util.Map;

/// Limits the tokens per second of each tenant, prompt and output together.
///
/// Each tenant has a bucket that fills at its rate and holds the tokens of ten seconds. A request
/// takes its prompt tokens when it comes and its output tokens when it ends, so a bucket can owe
/// tokens; the tenant then waits until the debt is paid.
public final class TenantRates {
    private static final double BURST_SECONDS = 10;
    private static final double NANOS = 1e9;

    private static final class Bucket {
        private double tokens;
        private long filledAt;
    }

    private final double rate;
    private final Map<String, Double> rates;
    private final Map<String, Bucket> buckets = new HashMap<>();

    /// @param rate tokens per second of tenants that have no rate of their own; 0 for no limit
    public TenantRates(double rate, Map<String, Double> rates) {
        this.rate = rate;
        this.rates = Map.copyOf(rates);
    }

    /// Takes the prompt tokens of a request. Returns 0, or the seconds after which the tenant
    /// should try again; then nothing was taken.
    public double take(String tenant, long promptTokens, long now) {
        double limit = limit(tenant);
        if (limit <= 0) {
            return 0;
        }
        Bucket bucket = filled(tenant, limit, now);
        if (bucket.tokens > 0) {
            bucket.tokens -= promptTokens;
            return 0;
        }
        return (1 - bucket.tokens) / limit;
    }

    /// Takes the output tokens of an answer.
    public void spend(String tenant, long outputTokens, long now) {
        double limit = limit(tenant);
        if (limit > 0) {
            filled(tenant, limit, now).tokens -= outputTokens;
        }
    }

    private double limit(String tenant) {
        return rates.getOrDefault(tenant, rate);
    }

    /// Tenants are few, because the scheduler names them.
    private Bucket filled(String tenant, double limit, long now) {
        Bucket bucket = buckets.get(tenant);
        if (bucket == null) {
            bucket = new Bucket();
            bucket.tokens = limit * BURST_SECONDS;
            bucket.filledAt = now;
            buckets.put(tenant, bucket);
        }
        double gained = limit * (now - bucket.filledAt) / NANOS;
        bucket.tokens = Math.min(limit * BURST_SECONDS, bucket.tokens + gained);
        bucket.filledAt = now;
        return bucket;
    }
}
