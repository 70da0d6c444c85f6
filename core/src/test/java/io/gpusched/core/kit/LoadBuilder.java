package io.gpusched.core.kit;

import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.ReplicaLoad;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A report of a pool's load in which only what a test cares about needs to be said.
public final class LoadBuilder {
    private String source = "gateway";
    private long sequence;
    private Duration over = Duration.ofSeconds(1);
    private int arrivals;
    private long promptTokens;
    private long outputTokens;
    private int held;
    private long heldTokens;
    private int sessions;
    private long contextTokens;
    private int toolCalls;
    private long queueDepth;
    private int answered;
    private int withinSlo;
    private int firstTokenMillis;
    private final List<ReplicaLoad> replicas = new ArrayList<>();

    private LoadBuilder(long sequence) {
        this.sequence = sequence;
    }

    public static LoadBuilder aLoad(long sequence) {
        return new LoadBuilder(sequence);
    }

    public LoadBuilder from(String name) {
        source = name;
        return this;
    }

    public LoadBuilder over(Duration time) {
        over = time;
        return this;
    }

    public LoadBuilder arrivals(int requests, long tokens) {
        arrivals = requests;
        promptTokens = tokens;
        return this;
    }

    public LoadBuilder output(long tokens) {
        outputTokens = tokens;
        return this;
    }

    public LoadBuilder held(int requests, long tokens) {
        held = requests;
        heldTokens = tokens;
        return this;
    }

    public LoadBuilder sessions(int active) {
        sessions = active;
        return this;
    }

    public LoadBuilder context(long tokens) {
        contextTokens = tokens;
        return this;
    }

    public LoadBuilder toolCalls(int calls) {
        toolCalls = calls;
        return this;
    }

    public LoadBuilder queue(long messages) {
        queueDepth = messages;
        return this;
    }

    public LoadBuilder answered(int requests, int within) {
        answered = requests;
        withinSlo = within;
        return this;
    }

    public LoadBuilder firstToken(int millis) {
        firstTokenMillis = millis;
        return this;
    }

    /// A ready replica.
    public LoadBuilder replica(long job, int running, int waiting, long waitingTokens) {
        return replica(
                new ReplicaLoad(
                        new JobId(job), true, running, waiting, waitingTokens, 0, 0, 0, 0, 0));
    }

    public LoadBuilder replica(ReplicaLoad replica) {
        replicas.add(replica);
        return this;
    }

    public PoolLoad build() {
        return new PoolLoad(
                source,
                sequence,
                over,
                arrivals,
                0,
                promptTokens,
                outputTokens,
                held,
                heldTokens,
                sessions,
                contextTokens,
                toolCalls,
                queueDepth,
                answered,
                withinSlo,
                firstTokenMillis,
                replicas);
    }
}
