package io.gpusched.operator.kube;

/// A type with small objects that nothing checks.
final class ConfigMaps {
    static final ResourceType TYPE = new ResourceType("", "v1", "configmaps", "ConfigMap", true);

    private ConfigMaps() {}
}
