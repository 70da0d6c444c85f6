/// Scenarios: clusters, tenants, jobs, faults and user actions, as scenario files describe them.
///
/// Read [io.gpusched.sim.scenario.Scenario] first, then [io.gpusched.sim.scenario.ScenarioFile],
/// which reads scenario files. Everything here is a value; nothing here runs. Random choices are
/// drawn by [io.gpusched.sim.scenario.SeededRandom] from the seed of the run.
///
///     scenarios/quota-wait.yaml ──▶ Scenario ──(seed)──▶ arrivals, in order of time
@NullMarked
package io.gpusched.sim.scenario;

import org.jspecify.annotations.NullMarked;
