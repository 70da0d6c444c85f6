package io.gpusched.core.engine;

import io.gpusched.core.model.JobSpec;

/// How many replicas one cycle submits, so that its batch stays small. Pools look again after their
/// interval and submit the rest.
final class StartBudget {
    static final int REPLICAS = 1_000;

    /// Characters of payloads.
    private static final long CHARACTERS = 16L << 20;

    private int replicas;
    private long characters;

    /// Counts the replica if it fits. The first one always fits, however large it is.
    boolean takes(JobSpec spec) {
        long size = spec.payload().size();
        if (replicas > 0 && (replicas == REPLICAS || characters + size > CHARACTERS)) {
            return false;
        }
        replicas++;
        characters += size;
        return true;
    }
}
