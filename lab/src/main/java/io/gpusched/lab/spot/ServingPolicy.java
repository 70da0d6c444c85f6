package io.gpusched.lab.spot;

/// How many spot instances a service asks for in each zone, and how many on demand. A new policy
/// object is made for each window.
interface ServingPolicy {
    /// Instances that must be ready for the service to be available.
    int TARGET = 3;

    /// Called once for each tick. Fills in the plan; `fleet` says what came of the plans before.
    ///
    /// @param spots to be set: instances by zone
    /// @return instances on demand
    int plan(ServingFleet fleet, int[] spots);
}
