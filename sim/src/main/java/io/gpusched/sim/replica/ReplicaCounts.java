package io.gpusched.sim.replica;

import java.util.ArrayList;
import java.util.List;

/// What a replica did since its last report.
public final class ReplicaCounts {
    private long promptTokens;
    private long outputTokens;
    private double tokenSeconds;
    private int firsts;
    private double firstSeconds;
    private final List<Double> waits = new ArrayList<>();
    private final List<ServingRequest> answered = new ArrayList<>();

    void prompt(int tokens) {
        promptTokens += tokens;
    }

    void decoded(int tokens, double seconds) {
        outputTokens += tokens;
        tokenSeconds += tokens * seconds;
    }

    void first(double seconds) {
        firsts++;
        firstSeconds += seconds;
        waits.add(seconds);
    }

    void answered(ServingRequest request) {
        answered.add(request);
    }

    public long promptTokens() {
        return promptTokens;
    }

    /// Tokens that decoding made; the first token of a request is not one of them.
    public long outputTokens() {
        return outputTokens;
    }

    /// Mean time between two tokens in microseconds; 0 where there was none.
    public int interTokenMicros() {
        return outputTokens == 0 ? 0 : (int) Math.round(tokenSeconds / outputTokens * 1e6);
    }

    /// Mean time to the first token in milliseconds; 0 where there was none.
    public int firstTokenMillis() {
        return firsts == 0 ? 0 : (int) Math.max(1, Math.round(firstSeconds / firsts * 1e3));
    }

    /// Times to the first token, in seconds.
    public List<Double> waits() {
        return waits;
    }

    public List<ServingRequest> answered() {
        return answered;
    }

    public void clear() {
        promptTokens = 0;
        outputTokens = 0;
        tokenSeconds = 0;
        firsts = 0;
        firstSeconds = 0;
        waits.clear();
        answered.clear();
    }
}
