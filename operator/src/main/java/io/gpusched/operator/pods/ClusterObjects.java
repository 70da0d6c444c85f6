package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.operator.kube.ResourceType;

/// The newest known state of objects that pods refer to. An object that does not exist, or whose
/// type the cluster does not have, is a missing node. Answers come from memory.
public interface ClusterObjects {
    /// @param namespace empty for types without namespaces
    JsonNode find(ResourceType type, String namespace, String name);
}
