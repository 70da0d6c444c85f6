package io.gpusched.server;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.learn.LearnerImage;
import io.gpusched.core.model.Check;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.state.StateImage;
import io.gpusched.server.live.EventFeed;
import io.gpusched.store.Snapshots;
import io.gpusched.store.SqlJournal;
import io.gpusched.wire.codec.Snapshot;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// The engines at the end of the replayed journal: `engine` decides, `mirror` follows. The third
/// engine, which answers queries, is a copy of the mirror ([#copy]).
///
/// @param replayed how many events were replayed after the snapshot
/// @param events the live events of the replayed batches, so that listeners can continue after a
///        restart
record RecoveredEngines(Engine engine, Engine mirror, long replayed, EventFeed events) {
    private static final Logger LOG = LoggerFactory.getLogger(RecoveredEngines.class);

    static RecoveredEngines from(SqlJournal journal, Snapshots snapshots, EngineConfig config) {
        EngineSettings settings = config.learningSettings();
        Policy policy = config.policy();
        Snapshot snapshot = newest(journal, snapshots);
        Engine engine = begin(snapshot, policy, settings);
        if (engine.lastBatch() == 0) {
            snapshot = beginning(journal);
            engine = begin(snapshot, policy, settings);
        }
        Engine mirror = begin(engine.lastBatch() == 0 ? null : snapshot, config.policy(), settings);
        var events = new EventFeed(engine.state(), engine.lastBatch(), engine.state().policy());
        long replayed = replay(journal, engine, mirror, events);
        events.published();
        return new RecoveredEngines(engine, mirror, replayed, events);
    }

    private static long replay(SqlJournal journal, Engine engine, Engine mirror, EventFeed events) {
        var replayed = new AtomicLong();
        try (var beside = new ParallelReplay(mirror)) {
            journal.replay(
                    engine.lastBatch(),
                    batch -> {
                        beside.apply(batch);
                        engine.apply(batch);
                        events.add(batch, engine.state());
                        replayed.addAndGet(batch.size());
                    });
        }
        return replayed.get();
    }

    /// Copies the state of the mirror now. The supplier builds an engine from the copy, which takes
    /// a while.
    Supplier<Engine> copy(EngineConfig config) {
        StateImage image = mirror.image();
        LearnerImage learned = mirror.learner().image();
        long digest = mirror.digest();
        EngineSettings settings = config.learningSettings();
        Policy policy = config.policy();
        return () -> {
            Engine copy = Engine.restore(image, learned, policy, settings);
            Check.that(copy.digest() == digest, "the copy of batch %s differs", image.batch());
            return copy;
        };
    }

    /// The snapshot that a pruned journal begins with; null if the journal was never pruned.
    private static @Nullable Snapshot beginning(SqlJournal journal) {
        try (var reader = journal.reader()) {
            return reader.beginning();
        }
    }

    private static @Nullable Snapshot newest(SqlJournal journal, Snapshots snapshots) {
        try (var reader = journal.reader()) {
            return snapshots.newest(reader, journal.head());
        }
    }

    /// An engine restored from the snapshot. Without a snapshot, or if the restored state differs
    /// from the one the snapshot was taken of, an empty engine: snapshots only save time, and the
    /// whole journal is replayed instead.
    private static Engine begin(
            @Nullable Snapshot snapshot, Policy policy, EngineSettings settings) {
        if (snapshot != null) {
            long batch = snapshot.image().batch();
            try {
                Engine restored =
                        Engine.restore(snapshot.image(), snapshot.learned(), policy, settings);
                if (restored.digest() == snapshot.digest()) {
                    return restored;
                }
                LOG.warn(
                        "the snapshot of batch {} does not restore its state; the whole journal is"
                                + " replayed",
                        batch);
            } catch (RuntimeException e) {
                LOG.warn(
                        "the snapshot of batch {} cannot be used; the whole journal is replayed",
                        batch,
                        e);
            }
        }
        return new Engine(policy, settings);
    }
}
