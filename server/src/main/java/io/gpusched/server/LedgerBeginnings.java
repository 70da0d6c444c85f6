package io.gpusched.server;

import io.gpusched.core.engine.Engine;
import io.gpusched.server.whatif.ScalerShadow;
import io.gpusched.server.whatif.StoredHistory;
import io.gpusched.store.JournalReader;
import io.gpusched.store.Snapshots;
import io.gpusched.store.SqlJournal;
import io.gpusched.wire.codec.Snapshot;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// Finds the newest snapshot of a time, so that recent load is read without the whole journal.
final class LedgerBeginnings implements ScalerShadow.Beginnings {
    private final SqlJournal journal;
    private final Snapshots snapshots;
    private final EngineConfig config;

    LedgerBeginnings(SqlJournal journal, Snapshots snapshots, EngineConfig config) {
        this.journal = journal;
        this.snapshots = snapshots;
        this.config = config;
    }

    @Override
    public @Nullable Engine before(StoredHistory history, Instant at) {
        try (JournalReader reader = journal.reader()) {
            Snapshot found = snapshots.newest(reader, lastBefore(reader, history.head(), at));
            Snapshot begin = found == null ? reader.beginning() : found;
            return begin == null
                    ? null
                    : Engine.restore(
                            begin.image(),
                            begin.learned(),
                            config.policy(),
                            config.learningSettings());
        }
    }

    /// The last batch before that time, by halving; the base of the journal if there is none.
    private static long lastBefore(JournalReader reader, long head, Instant at) {
        long before = reader.base();
        long after = head + 1;
        while (after - before > 1) {
            long middle = before + (after - before) / 2;
            boolean[] earlier = {false};
            reader.read(middle - 1, 1, batch -> earlier[0] = batch.at().isBefore(at));
            if (earlier[0]) {
                before = middle;
            } else {
                after = middle;
            }
        }
        return before;
    }
}
