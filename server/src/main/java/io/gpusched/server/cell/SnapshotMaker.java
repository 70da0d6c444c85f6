package io.gpusched.server.cell;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.store.Snapshots;
import io.gpusched.store.StoreException;
import io.gpusched.wire.codec.Snapshot;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.atomic.AtomicBoolean;

/// Writes a snapshot now and then, so that a start need not replay everything. The thread of the
/// [QueryFollower] copies the ledger; another one writes the copy, one at a time.
public final class SnapshotMaker implements Follower.BatchListener {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotMaker.class);

    private final Snapshots snapshots;
    private final long every;
    private final AtomicBoolean writing = new AtomicBoolean();
    private long events;

    /// @param every how many events lie between two snapshots
    /// @param since how many came after the newest one; without them, a server that is restarted
    ///        often would never write another and replay more each time
    public SnapshotMaker(Snapshots snapshots, long every, long since) {
        this.snapshots = snapshots;
        this.every = every;
        this.events = since;
    }

    @Override
    public void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        events += batch.size();
        if (events >= every && writing.compareAndSet(false, true)) {
            events = 0;
            var snapshot = new Snapshot(engine.image(), engine.learner().image(), engine.digest());
            Thread.ofPlatform().name("snapshot").daemon().start(() -> write(snapshot));
        }
    }

    private void write(Snapshot snapshot) {
        try {
            snapshots.save(snapshot);
            LOG.debug("snapshot of batch {} written", snapshot.image().batch());
        } catch (StoreException e) {
            LOG.warn(
                    "no snapshot could be written; the next start takes longer: {}",
                    e.getMessage());
        } finally {
            writing.set(false);
        }
    }
}
