package io.gpusched.store;

/// Receives the health of the store, from any thread. Must not block.
public interface StoreHealth {
    /// Ignores everything.
    StoreHealth UNHEARD =
            new StoreHealth() {
                @Override
                public void paused(String why, int tries) {}

                @Override
                public void resumed() {}

                @Override
                public void warning(String what) {}
            };

    /// Nothing becomes durable at the moment; the store retries.
    void paused(String why, int tries);

    /// The paused work continues.
    void resumed();

    /// A warning for the operator.
    void warning(String what);
}
