package io.gpusched.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.core.cell.Journal;
import io.gpusched.core.event.Batch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;

/// The contract of every journal.
@Timeout(60)
abstract class JournalContract {
    /// An empty journal that accepts batches of [#term].
    abstract Journal journal();

    abstract long term();

    @Test
    void batchesComeBackInOrder() {
        Journal journal = journal();
        var written = new ArrayList<Batch>();
        for (long number = 1; number <= 150; number++) {
            Batch batch = Batches.batch(number, term(), 3);
            journal.append(batch, () -> {});
            written.add(batch);
        }
        assertThat(read(journal, 0)).isEqualTo(written);
    }

    @Test
    void aReplayStartsAfterTheBatchItIsGiven() {
        Journal journal = journal();
        for (long number = 1; number <= 5; number++) {
            journal.append(Batches.batch(number, term()), () -> {});
        }
        assertThat(read(journal, 3)).extracting(Batch::number).containsExactly(4L, 5L);
        assertThat(read(journal, 5)).isEmpty();
    }

    @Test
    void durabilityIsReportedOncePerBatchAndInOrder() {
        Journal journal = journal();
        var reported = new ArrayList<Long>();
        for (long number = 1; number <= 3; number++) {
            long durable = number;
            journal.append(Batches.batch(number, term()), () -> reported.add(durable));
        }
        assertThat(reported).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aGapIsRefusedAndNothingIsWritten() {
        Journal journal = journal();
        journal.append(Batches.batch(1, term()), () -> {});
        refuses(journal, Batches.batch(3, term()));
        refuses(journal, Batches.batch(1, term()));
        assertThat(read(journal, 0)).containsExactly(Batches.batch(1, term()));
    }

    static void refuses(Journal journal, Batch batch) {
        assertThatThrownBy(
                        () ->
                                journal.append(
                                        batch,
                                        () -> {
                                            throw new AssertionError("reported to be durable");
                                        }))
                .isInstanceOf(RuntimeException.class)
                .hasMessageContaining("batch " + batch.number());
    }

    static List<Batch> read(Journal journal, long after) {
        var batches = new ArrayList<Batch>();
        journal.replay(after, batches::add);
        return batches;
    }
}
