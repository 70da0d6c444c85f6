/// A client of the Kubernetes API: requests, and caches that follow what changes.
///
/// Read [io.gpusched.operator.kube.KubeApi] first. Objects are JSON trees: one object that cannot
/// be decoded must not stop the others, and fields that this build does not know must not be lost.
///
/// What the objects mean must not be known here.
///
///     api.list(ResourceType.PODS, ListQuery.all())
@NullMarked
package io.gpusched.operator.kube;

import org.jspecify.annotations.NullMarked;
