/// The mutating webhook: a pod that names its kind of work gets the GPU that suits it best, as the
/// scheduler has learned. It is off unless asked for, and lets every pod pass that it cannot score.
///
///     pod with app.kubernetes.io/job-type  →  POST /v1/score  →  JSON patch
///
/// Read [PodScoring] first. Nothing here watches the cluster: what it must know comes from
/// [ScoringView].
@NullMarked
package io.gpusched.operator.webhook;

import org.jspecify.annotations.NullMarked;
