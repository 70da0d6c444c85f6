package io.gpusched.core.pool;

/// What the newest fresh reports of all sources say together.
///
/// @param sources how many sources have a fresh report
/// @param ready replicas that at least one source sends requests to
/// @param running requests that replicas work on
/// @param waiting requests that replicas have accepted and not begun
/// @param waitingTokens prompt tokens of those
/// @param held requests that wait in gateways for a replica
/// @param heldTokens prompt tokens of those
/// @param kvPermille mean use of the KV cache of ready replicas, in thousandths
/// @param firstTokenP95Millis the largest of the sources; 0 when no first token was sent
public record LoadNow(
        int sources,
        int ready,
        int running,
        int waiting,
        long waitingTokens,
        int held,
        long heldTokens,
        int sessions,
        long contextTokens,
        long queueDepth,
        int kvPermille,
        int firstTokenP95Millis) {
    /// What is known where nobody reports.
    public static final LoadNow NONE = new LoadNow(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /// Requests that were accepted and are not answered.
    public int inFlight() {
        return running + waiting + held;
    }

    /// Prompt tokens that no replica has begun.
    public long tokensInQueue() {
        return waitingTokens + heldTokens;
    }
}
