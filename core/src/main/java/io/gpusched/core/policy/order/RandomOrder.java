package io.gpusched.core.policy.order;

import io.gpusched.core.model.Job;
import io.gpusched.core.policy.QueueOrder;

/// A random order, which follows from the job's number alone. It is a baseline: an order that is
/// not better than this one is not worth its rules.
public final class RandomOrder implements QueueOrder {
    @Override
    public String name() {
        return "random";
    }

    /// The finaliser of SplitMix64, which scatters consecutive numbers.
    @Override
    public long key(Job job) {
        long bits = job.id().number() * 0x9E3779B97F4A7C15L;
        bits = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
        return (bits ^ (bits >>> 31)) >>> 1;
    }
}
