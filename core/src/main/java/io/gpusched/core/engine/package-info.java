/// One scheduling cycle: inputs are answered, jobs take turns, decisions come out as events.
///
/// Read [io.gpusched.core.engine.Engine] first, then [io.gpusched.core.engine.Cycle]. Everything
/// here is a function of the ledger, the policy and the time given. Nothing here knows a journal or
/// an agent.
@NullMarked
package io.gpusched.core.engine;

import org.jspecify.annotations.NullMarked;
