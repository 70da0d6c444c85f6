/// Who may use a pool, and how many tokens per second.
///
/// Read [io.gpusched.gateway.admit.KeyCache] and [io.gpusched.gateway.admit.TenantRates]. All state
/// belongs to the thread of the loop.
@NullMarked
package io.gpusched.gateway.admit;

import org.jspecify.annotations.NullMarked;
