/// What is simulated: clusters, tenants, jobs, faults and people's actions, as files say it.
///
/// Read [io.gpusched.sim.scenario.Scenario] first, then [io.gpusched.sim.scenario.ScenarioFile] for
/// how it is written. Everything here is a value; nothing here happens. What a file leaves to
/// chance is drawn by [io.gpusched.sim.scenario.Dice] from the seed of the run.
///
///     scenarios/quota-wait.yaml ──▶ Scenario ──(seed)──▶ arrivals, in order of time
@NullMarked
package io.gpusched.sim.scenario;

import org.jspecify.annotations.NullMarked;
