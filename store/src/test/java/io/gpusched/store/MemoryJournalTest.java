package io.gpusched.store;

import io.gpusched.core.cell.Journal;
import io.gpusched.core.cell.MemoryJournal;

final class MemoryJournalTest extends JournalContract {
    @Override
    Journal journal() {
        return new MemoryJournal();
    }

    @Override
    long term() {
        return 1;
    }
}
