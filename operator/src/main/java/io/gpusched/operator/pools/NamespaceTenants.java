package io.gpusched.operator.pools;

/// Which tenant of the scheduler a namespace is.
@FunctionalInterface
public interface NamespaceTenants {
    /// The tenant, which is there when this returns.
    ///
    /// @throws io.gpusched.operator.scheduler.SchedulerUnavailable to be asked again later
    /// @throws IllegalArgumentException if the namespace can be none, with the reason
    String of(String namespace);
}
