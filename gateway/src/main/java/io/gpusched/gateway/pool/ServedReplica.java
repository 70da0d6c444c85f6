package io.gpusched.gateway.pool;

import io.gpusched.gateway.measure.AnswerMeter;
import io.gpusched.gateway.pool.PoolConfig.ReplicaConfig;

import java.net.InetSocketAddress;

/// One replica as the gateway sees it: whether it takes requests, and what it is working on.
public final class ServedReplica {
    /// Probes that must fail one after the other before a replica that served gets no requests.
    private static final int FAILURES = 3;

    private static final double KV_WEIGHT = 0.02;
    private static final double WAITING_WEIGHT = 50;

    /// A full KV cache of a large replica, about 450,000 tokens.
    private static final double FULL_KV_TOKENS = 450_000;

    private final String jobId;
    private final InetSocketAddress address;
    private final ReplicaInterval interval = new ReplicaInterval();
    private boolean healthy;
    private boolean draining;
    private boolean listed = true;
    private int failures;
    private long suspectUntil;
    private int inFlight;
    private int unanswered;
    private long unansweredTokens;
    private long inFlightTokens;
    private EngineReading reading = EngineReading.NONE;
    private String scrapeProblem = "";

    /// A replica that the scheduler calls ready is taken at its word until a probe says otherwise,
    /// so that a restarted gateway serves at once.
    ServedReplica(ReplicaConfig config, InetSocketAddress address) {
        jobId = config.jobId();
        this.address = address;
        healthy = config.state().equals("ready");
        draining = config.isDraining();
    }

    public String jobId() {
        return jobId;
    }

    public InetSocketAddress address() {
        return address;
    }

    void draining(boolean now) {
        draining = now;
    }

    public boolean isDraining() {
        return draining;
    }

    /// The scheduler no longer lists it.
    void forget() {
        listed = false;
    }

    /// Whether it gets new requests.
    public boolean isReady() {
        return healthy && listed && !draining;
    }

    boolean isSuspect(long now) {
        return now - suspectUntil < 0;
    }

    /// A request failed on it before it answered. It is used last for a second.
    ///
    /// @param refused whether it does not even take connections
    public void requestFailed(long now, boolean refused) {
        suspectUntil = now + 1_000_000_000L;
        if (refused) {
            healthy = false;
        }
    }

    /// A probe of its health has ended. Returns whether the replica changed between ready and not
    /// ready.
    public boolean probed(boolean answers) {
        boolean before = healthy;
        failures = answers ? 0 : failures + 1;
        healthy = answers || healthy && failures < FAILURES;
        return before != healthy;
    }

    /// Whether so many probes in a row failed that it is not expected to answer what it has.
    public boolean isLost() {
        return failures >= FAILURES;
    }

    public void begin(long promptTokens) {
        inFlight++;
        unanswered++;
        unansweredTokens += promptTokens;
        inFlightTokens += promptTokens;
    }

    /// The first byte of an answer has come, or the request has left without one.
    public void answerBegan(long promptTokens) {
        unanswered--;
        unansweredTokens -= promptTokens;
    }

    public void end(long promptTokens) {
        inFlight--;
        inFlightTokens -= promptTokens;
    }

    /// @param firstTokenNanos from the time the request was sent to this replica
    public void answered(long promptTokens, AnswerMeter meter, long firstTokenNanos) {
        interval.add(promptTokens, meter, firstTokenNanos);
    }

    public int inFlight() {
        return inFlight;
    }

    /// Requests that were sent to it and have no answer.
    public int unanswered() {
        return unanswered;
    }

    public long unansweredTokens() {
        return unansweredTokens;
    }

    public long inFlightTokens() {
        return inFlightTokens;
    }

    public ReplicaInterval interval() {
        return interval;
    }

    /// The result of a scrape of its metrics.
    public void scraped(EngineReading found) {
        reading = found;
        scrapeProblem = "";
    }

    /// Its metrics could not be read. Old figures are dropped rather than reported again.
    public void scrapeFailed(String problem) {
        reading = EngineReading.NONE;
        scrapeProblem = problem;
    }

    public EngineReading reading() {
        return reading;
    }

    /// Why its metrics cannot be read; empty when they can, or when there are none to read.
    public String scrapeProblem() {
        return scrapeProblem;
    }

    /// How loaded it is: prompt tokens that wait, a little for each token in its KV cache, and for
    /// each request that waits. Requests of other gateways count as far as its own metrics show
    /// them.
    double load() {
        Double kv = reading.kv();
        Double waiting = reading.waiting();
        Double running = reading.running();
        double kvTokens = Math.max((double) inFlightTokens, kv == null ? 0 : kv * FULL_KV_TOKENS);
        double waits = Math.max(unanswered, waiting == null ? 0 : waiting);
        double works = Math.max(inFlight, running == null ? 0 : running);
        return unansweredTokens + KV_WEIGHT * kvTokens + WAITING_WEIGHT * waits + works;
    }
}
