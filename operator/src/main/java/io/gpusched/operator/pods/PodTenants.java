package io.gpusched.operator.pods;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.scheduler.SchedulerRequests;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Which tenant the pods of a namespace belong to: one of the same name, or the one that an
/// annotation of the namespace names. Tenants that do not exist are made.
final class PodTenants {
    static final String TENANT = "gpu-scheduler.io/tenant";

    private final ClusterObjects objects;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    PodTenants(ClusterObjects objects) {
        this.objects = objects;
    }

    String of(String namespace) {
        JsonNode object = objects.find(ResourceType.NAMESPACES, "", namespace);
        return object.path("metadata").path("annotations").path(TENANT).asText(namespace);
    }

    /// Makes the tenant unless it exists; blocks.
    ///
    /// @return why the tenant cannot be used; empty if it can
    String ensure(SchedulerRequests scheduler, String tenant) {
        if (known.contains(tenant)) {
            return "";
        }
        String problem = scheduler.ensureTenant(tenant, tenant);
        if (problem.isEmpty()) {
            known.add(tenant);
        }
        return problem;
    }

    /// Has the tenant made again if it is gone.
    void forget(String tenant) {
        known.remove(tenant);
    }
}
