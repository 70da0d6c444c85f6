package io.gpusched.operator.kube;

/// One type of object at an API server.
///
/// @param group empty for the core group
/// @param plural as it stands in paths: `pods`
public record ResourceType(
        String group, String version, String plural, String kind, boolean namespaced) {
    public static final ResourceType NODES = core("nodes", "Node", false);
    public static final ResourceType NAMESPACES = core("namespaces", "Namespace", false);
    public static final ResourceType PODS = core("pods", "Pod", true);
    public static final ResourceType EVENTS = core("events", "Event", true);
    public static final ResourceType SERVICES = core("services", "Service", true);
    public static final ResourceType SECRETS = core("secrets", "Secret", true);
    public static final ResourceType VOLUME_CLAIMS =
            core("persistentvolumeclaims", "PersistentVolumeClaim", true);
    public static final ResourceType VOLUMES = core("persistentvolumes", "PersistentVolume", false);
    public static final ResourceType STORAGE_CLASSES =
            new ResourceType("storage.k8s.io", "v1", "storageclasses", "StorageClass", false);
    public static final ResourceType PRIORITY_CLASSES =
            new ResourceType("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", false);
    public static final ResourceType LEASES =
            new ResourceType("coordination.k8s.io", "v1", "leases", "Lease", true);

    private static ResourceType core(String plural, String kind, boolean namespaced) {
        return new ResourceType("", "v1", plural, kind, namespaced);
    }

    /// `v1` or `batch/v1`, as objects name it.
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /// The path of all objects, or of those in one namespace.
    ///
    /// @param namespace empty for all namespaces, and for types without namespaces
    public String path(String namespace) {
        String root = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        return namespaced && !namespace.isEmpty()
                ? root + "/namespaces/" + namespace + "/" + plural
                : root + "/" + plural;
    }

    /// The path of one object.
    public String path(String namespace, String name) {
        return path(namespace) + "/" + name;
    }
}
