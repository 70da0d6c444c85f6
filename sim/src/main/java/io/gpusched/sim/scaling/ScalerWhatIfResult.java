package io.gpusched.sim.scaling;

import io.gpusched.core.pool.Slo;

import java.util.List;

/// The answer to what other laws would have done: what was recorded, the recorded law in the run,
/// and each law that was tried.
///
/// @param measure the objectives by which runs are measured
/// @param requests how many the runs serve
/// @param prompt tokens of a prompt on average
/// @param output tokens of an answer on average
/// @param covered the part of the span that reports tell about
/// @param replayed the recorded law in the run
/// @param tried the other laws, in the order in which they were named
public record ScalerWhatIfResult(
        PoolRecord record,
        Slo measure,
        int requests,
        double prompt,
        double output,
        double covered,
        ReplicaSpeed speed,
        LawFigures replayed,
        List<LawFigures> tried,
        ModelCheck check) {
    public ScalerWhatIfResult {
        tried = List.copyOf(tried);
    }
}
