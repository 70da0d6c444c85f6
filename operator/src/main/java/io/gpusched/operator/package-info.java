/// The operator: runs jobs on one Kubernetes cluster. To the scheduler it is an agent whose machine
/// is a cluster, so the scheduler decides and never hears of Kubernetes.
///
/// The packages: `kube` talks to an API server; `cluster` says what a cluster consists of; `pods`
/// turns waiting pods into jobs and assignments into bindings; `scheduler` talks to our scheduler
/// by REST. Read [io.gpusched.operator.Operator] and [io.gpusched.operator.ClusterWork] first.
///
/// Scheduling decisions must not be made here.
///
///     bin/operator --kubeconfig ~/.kube/config --scheduler http://127.0.0.1:8080
@NullMarked
package io.gpusched.operator;

import org.jspecify.annotations.NullMarked;
