package io.gpusched.server.cell;

import io.gpusched.core.engine.Conclusion;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.store.Snapshots;
import io.gpusched.store.StoreException;
import io.gpusched.wire.codec.Snapshot;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes a picture of the ledger now and then, so that a start need not replay for ever.
///
/// The picture is taken on the follower's thread, where nothing changes meanwhile; it is written on
/// a thread of its own, so that no answer waits for the disk. While one is being written no other
/// is taken. A picture that cannot be written is a pity, not a failure: the journal has everything.
public final class SnapshotWriter implements Follower.Audience, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotWriter.class);

    /// A clean end is worth a picture if at least so much would have to be replayed.
    private static final long WORTH_IT = 10_000;

    private final Snapshots snapshots;
    private final long every;
    private long events;
    private @Nullable Engine last;
    private @Nullable Thread writing;

    /// @param every how many events lie between two snapshots
    public SnapshotWriter(Snapshots snapshots, long every) {
        this.snapshots = snapshots;
        this.every = every;
    }

    @Override
    public void applied(Batch batch, Conclusion conclusion, Engine engine) {
        last = engine;
        events += batch.size();
        if (events >= every && (writing == null || !writing.isAlive())) {
            events = 0;
            var snapshot = new Snapshot(engine.image(), engine.digest());
            writing = Thread.ofPlatform().name("snapshot").daemon().start(() -> save(snapshot));
        }
    }

    private void save(Snapshot snapshot) {
        try {
            snapshots.save(snapshot);
            LOG.info("snapshot of batch {} written", snapshot.image().batch());
        } catch (StoreException e) {
            LOG.warn("no snapshot was written, the journal has everything: {}", e.getMessage());
        }
    }

    /// Call when the follower has ended.
    @Override
    public void close() {
        try {
            if (writing != null) {
                writing.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        if (last != null && events >= WORTH_IT) {
            save(new Snapshot(last.image(), last.digest()));
        }
    }
}
