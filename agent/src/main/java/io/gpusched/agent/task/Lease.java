package io.gpusched.agent.task;

import java.time.Duration;

/// The permission to run tasks, which lapses by itself unless the scheduler renews it.
///
/// A scheduler that no longer hears from a machine waits until the lease must have lapsed, and only
/// then starts the machine's jobs elsewhere. That is safe because the lease is counted from the
/// moment a question *left* this machine, which is before the scheduler answered it.
public interface Lease {
    /// The reading of the clock the lease is counted on; remember it when a heartbeat leaves.
    long now();

    /// Extends the lease to `granted` after `sentAt`. Never shortens it.
    void renew(long sentAt, Duration granted);

    /// Whether tasks may run at this moment.
    boolean holds();

    /// A lease for tasks that need no fencing because they only pretend to run.
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
