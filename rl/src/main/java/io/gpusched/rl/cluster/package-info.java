/// A reinforcement-learning environment over any workload: a scenario or a trace, with different
/// GPU models, gangs, and several starts at one instant.
///
/// Read [io.gpusched.rl.cluster.ClusterEnvironment] first. The production core places every job,
/// and the player sees waiting jobs through the encoder of production, so what it learns can be the
/// model of the policy `learned`. An [io.gpusched.rl.cluster.Objective] says what it is rewarded
/// for. Nothing here chooses a node.
///
///     action ──▶ Driver.attempt ──▶ no head fits any more ──▶ the next event ──▶ rows, reward
@NullMarked
package io.gpusched.rl.cluster;

import org.jspecify.annotations.NullMarked;
