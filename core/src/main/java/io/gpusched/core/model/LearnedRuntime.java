package io.gpusched.core.model;

import java.time.Instant;

/// A learned figure: how long a kind of job takes on a GPU model.
///
/// @param alone runs that shared their GPUs with no other job
/// @param together runs beside other jobs, which are slower for reasons other than the GPU
/// @param at when it last changed
public record LearnedRuntime(
        String kind,
        String gpuModel,
        RuntimeAverages alone,
        RuntimeAverages together,
        Instant at) {}
