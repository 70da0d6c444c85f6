/// Pods that ask for our scheduler: each pod, or each group of pods, becomes a job, and its
/// assignment becomes a binding.
///
///     pod ─► PodReader ─► QueuePlan ─► PodQueue ─► submitted to the scheduler
///     assignment ─► PodHost ─► binding, eviction ─► reports from the phases of pods
///
/// Read [io.gpusched.operator.pods.PodQueue] and [io.gpusched.operator.pods.PodHost] first. Which
/// pod starts where must not be decided here.
@NullMarked
package io.gpusched.operator.pods;

import org.jspecify.annotations.NullMarked;
