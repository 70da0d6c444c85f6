package io.gpusched.server.whatif;

import io.gpusched.core.event.Batch;
import io.gpusched.sim.whatif.History;
import io.gpusched.store.JournalReader;
import io.gpusched.store.SqlJournal;

import java.util.function.Consumer;

/// The journal up to its last batch at the time of the request. It is read in portions, so that no
/// transaction stays open for long.
public final class StoredHistory implements History {
    private static final long PORTION = 500;

    private final SqlJournal journal;
    private final long head;

    public StoredHistory(SqlJournal journal) {
        this.journal = journal;
        this.head = journal.head();
    }

    /// The number of its last batch.
    public long head() {
        return head;
    }

    @Override
    public void read(long after, Consumer<Batch> into) {
        try (JournalReader reader = journal.reader()) {
            long last = after;
            while (last < head) {
                last = reader.read(last, Math.min(PORTION, head - last), into);
            }
        }
    }
}
