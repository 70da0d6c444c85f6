/// Serves the reinforcement-learning environment on a local socket, for agents that are trained in
/// other languages.
///
/// Read [io.gpusched.lab.environment.EnvironmentSession] first: it answers one line of JSON with
/// one line of JSON. [io.gpusched.lab.environment.EnvironmentServer] owns the sockets. The protocol
/// is described in `docs/guide/environment.md`; `python/gpusched_gym.py` is a client. The
/// environment itself is in `rl`, and nothing here schedules.
///
///     {"reset": {"seed": 1}}     → {"observation": […], "info": {…}}
///     {"step": {"action": 3}}    → {"observation": […], "reward": 0.1, "terminated": false, …}
@NullMarked
package io.gpusched.lab.environment;

import org.jspecify.annotations.NullMarked;
