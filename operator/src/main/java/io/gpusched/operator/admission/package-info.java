/// Workloads of other controllers (Job, JobSet, RayJob, RayCluster, PyTorchJob) that wait suspended
/// until their whole gang fits, and are then released on the chosen nodes.
///
///     suspended workload ─► WorkloadJob ─► submitted to the scheduler
///     assignment ─► Workloads ─► gate in the templates, suspend: false ─► each pod gets its node
///
/// Read [io.gpusched.operator.admission.WorkloadAdmission] first, then
/// [io.gpusched.operator.admission.Workloads]. Pods that ask for our scheduler by name are not of
/// here. Which pod set starts where must not be decided here.
@NullMarked
package io.gpusched.operator.admission;

import org.jspecify.annotations.NullMarked;
