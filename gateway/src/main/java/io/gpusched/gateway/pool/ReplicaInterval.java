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
    private double enginePromptTokens;
    private double engineOutputTokens;

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

    /// Adds what the replica's own counters gained, which includes requests that did not pass this
    /// gateway.
    void addEngine(EngineReading reading) {
        Double prompt = reading.promptTokens();
        Double output = reading.outputTokens();
        enginePromptTokens += prompt == null ? 0 : prompt;
        engineOutputTokens += output == null ? 0 : output;
    }

    public void clear() {
        promptTokens = 0;
        outputTokens = 0;
        firstTokenNanos = 0;
        firstTokens = 0;
        interTokenNanos = 0;
        interTokens = 0;
        enginePromptTokens = 0;
        engineOutputTokens = 0;
    }

    public long promptTokens() {
        return Math.max(promptTokens, Math.round(enginePromptTokens));
    }

    public long outputTokens() {
        return Math.max(outputTokens, Math.round(engineOutputTokens));
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
