package io.gpusched.agent.task;

import java.time.Duration;

/// The permission to run tasks; it expires unless the scheduler renews it.
///
/// If a scheduler loses contact with a node, it waits until the lease must have expired, and only
/// then restarts the node's jobs elsewhere. That is safe because the lease is counted from the
/// moment a heartbeat *left* this node, which is before the scheduler answered it.
public interface Lease {
    /// The clock of the lease; read it when a heartbeat is sent.
    long now();

    /// Extends the lease to `granted` after `sentAt`. Never shortens it.
    void renew(long sentAt, Duration granted);

    /// Whether tasks may run now.
    boolean holds();

    /// A lease for simulated tasks, which need no fencing.
    static Lease unlimited() {
        return new Lease() {
            @Override
            public long now() {
                return System.nanoTime();
            }

            @Override
            public void renew(long sentAt, Duration granted) {}

            @Override
            public boolean holds() {
                return true;
            }
        };
    }
}
