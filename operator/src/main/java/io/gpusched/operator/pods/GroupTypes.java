package io.gpusched.operator.pods;

import io.gpusched.operator.kube.ResourceType;

import java.util.List;

/// Types of objects that define groups of pods in clusters that know them. The upstream API changes
/// with every release, so every version that has been seen is tried, and its fields are looked up
/// by name.
public final class GroupTypes {
    public static final ResourceType COSCHEDULING =
            type("scheduling.x-k8s.io", "v1alpha1", "podgroups", "PodGroup");
    public static final ResourceType COSCHEDULING_BEFORE =
            type("scheduling.sigs.k8s.io", "v1alpha1", "podgroups", "PodGroup");
    public static final ResourceType VOLCANO =
            type("scheduling.volcano.sh", "v1beta1", "podgroups", "PodGroup");
    public static final ResourceType KAI =
            type("scheduling.run.ai", "v2alpha2", "podgroups", "PodGroup");
    public static final ResourceType WORKLOAD =
            type("scheduling.k8s.io", "v1alpha1", "workloads", "Workload");
    public static final ResourceType UPSTREAM =
            type("scheduling.k8s.io", "v1alpha2", "podgroups", "PodGroup");
    public static final ResourceType UPSTREAM_BETA =
            type("scheduling.k8s.io", "v1beta1", "podgroups", "PodGroup");

    private GroupTypes() {}

    /// All types, to be watched where the cluster has them.
    public static List<ResourceType> all() {
        return List.of(
                COSCHEDULING, COSCHEDULING_BEFORE, VOLCANO, KAI, WORKLOAD, UPSTREAM, UPSTREAM_BETA);
    }

    private static ResourceType type(String group, String version, String plural, String kind) {
        return new ResourceType(group, version, plural, kind, true);
    }
}
