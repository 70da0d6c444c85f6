package io.gpusched.gateway.admit;

import io.gpusched.gateway.pool.PoolConfig;

/// Whom the scheduler named for a key.
public sealed interface KeyOwner {
    /// A key of a tenant, or of an administrator.
    ///
    /// @param tenant for token rates; an administrator's name where there is no tenant
    record Known(String tenant, boolean admin) implements KeyOwner {
        /// Everybody, where no keys are asked for.
        public static final Known ANYBODY = new Known("anybody", true);

        /// Administrators may use every pool, tenants their own.
        public boolean mayUse(PoolConfig pool) {
            return admin || pool.tenant().isEmpty() || pool.tenant().equals(tenant);
        }
    }

    /// The scheduler does not know the key.
    record Unknown() implements KeyOwner {}

    /// The scheduler could not be asked.
    record Unreachable() implements KeyOwner {}
}
