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

/// Writes a snapshot after every so many events, so that a start need not replay the whole journal.
/// The thread of the [QueryFollower] copies the state; another thread writes the copy, one at a
/// time.
public final class SnapshotMaker implements Follower.BatchListener {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotMaker.class);

    private final Snapshots snapshots;
    private final long every;
    private final AtomicBoolean writing = new AtomicBoolean();
    private long events;

    /// @param every number of events between two snapshots
    /// @param since number of events after the newest snapshot; without it, a server that is often
    ///        restarted would never write another one and replay more each time
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
