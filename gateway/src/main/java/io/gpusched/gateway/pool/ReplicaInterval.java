package io.gpusched.gateway.pool;

import io.gpusched.gateway.measure.AnswerMeter;

/// What one replica did since the last load report.
public final class ReplicaInterval {
    private long promptTokens;
    private long outputTokens;
    private long firstTokenNanos;
    private long firstTokens;
    private long interTokenNanos;
    private long interTokens;

    void add(long prompt, AnswerMeter meter, long firstToken) {
        promptTokens += prompt;
        outputTokens += meter.outputTokens();
        if (firstToken > 0) {
            firstTokenNanos += firstToken;
            firstTokens++;
        }
        if (meter.interTokenNanos() > 0) {
            interTokenNanos += meter.interTokenNanos();
            interTokens++;
        }
    }

    public void clear() {
        promptTokens = 0;
        outputTokens = 0;
        firstTokenNanos = 0;
        firstTokens = 0;
        interTokenNanos = 0;
        interTokens = 0;
    }

    public long promptTokens() {
        return promptTokens;
    }

    public long outputTokens() {
        return outputTokens;
    }

    /// The mean time to the first token; 0 where there was none.
    public double firstTokenMillis() {
        return firstTokens == 0 ? 0 : firstTokenNanos / 1e6 / firstTokens;
    }

    /// The mean time between two tokens; 0 where there was none.
    public double interTokenMillis() {
        return interTokens == 0 ? 0 : interTokenNanos / 1e6 / interTokens;
    }
}
