package io.gpusched.store;

/// Hears how the store is doing, from whatever thread uses it. Must not block.
public interface StoreHealth {
    /// For those who do not care.
    StoreHealth UNHEARD =
            new StoreHealth() {
                @Override
                public void paused(String why, int tries) {}

                @Override
                public void resumed() {}

                @Override
                public void warning(String what) {}
            };

    /// Nothing becomes durable at the moment; the store tries again by itself.
    void paused(String why, int tries);

    /// What was paused goes on.
    void resumed();

    /// Something a person should know.
    void warning(String what);
}
