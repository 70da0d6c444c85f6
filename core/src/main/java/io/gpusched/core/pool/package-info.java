/// Pools of replicas that serve a model: what a pool is, and what is known of its load.
///
/// Every replica of a pool is an ordinary job. The rules that decide how many there should be are
/// in `core.scale`.
@NullMarked
package io.gpusched.core.pool;

import org.jspecify.annotations.NullMarked;
