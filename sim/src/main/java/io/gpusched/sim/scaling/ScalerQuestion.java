package io.gpusched.sim.scaling;

import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Which laws are tried on which part of a journal.
///
/// @param since nothing before it counts
/// @param laws by name; none tries only the document
/// @param tried a pool document in place of the recorded ones; null where those stay
public record ScalerQuestion(PoolId pool, Instant since, List<String> laws, @Nullable Pool tried) {
    public ScalerQuestion {
        laws = List.copyOf(laws);
    }
}
