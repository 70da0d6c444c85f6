package io.gpusched.core.model;

import java.time.Instant;

/// How long a kind of job was seen to take on a kind of GPU.
///
/// @param alone runs with nobody beside them
/// @param together runs beside others, which are slower for reasons that are not the GPU's
/// @param at when it last changed
public record LearnedRuntime(
        String kind,
        String gpuModel,
        RuntimeAverages alone,
        RuntimeAverages together,
        Instant at) {}
