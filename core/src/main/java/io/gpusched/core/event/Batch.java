package io.gpusched.core.event;

import java.time.Instant;
import java.util.List;

/// The journal's unit: one row, one transaction. `facts` record inputs, `decided` records the
/// decisions of the cycle. A replay needs both to repeat a decision exactly.
///
/// @param number counts from 1 without gaps
/// @param digest of the ledger after the batch; a replay with another digest has gone wrong
public record Batch(
        long number, long term, Instant at, List<Event> facts, List<Event> decided, long digest) {
    public Batch {
        facts = List.copyOf(facts);
        decided = List.copyOf(decided);
    }

    public int size() {
        return facts.size() + decided.size();
    }
}
