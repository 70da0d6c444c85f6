package io.gpusched.server.live;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.view.OtherJobs.JobTenants;
import io.gpusched.server.view.PastJobs;
import io.gpusched.store.JournalReader;
import io.gpusched.store.SqlJournal;
import io.gpusched.store.StoreException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/// Events that are no longer in the ring, from the journal.
///
/// At most [#AT_ONCE] listeners read at a time, so that a crowd that reconnects cannot take all
/// processors and connections to the store; the others wait for their turn.
public final class JournalEvents {
    private static final int AT_ONCE = 2;

    private final SqlJournal journal;
    private final Function<JobId, @Nullable Job> present;
    private final PastJobs pastJobs;
    private final Semaphore turns = new Semaphore(AT_ONCE, true);

    /// @param present finds a job that the cluster state contains
    public JournalEvents(
            SqlJournal journal, Function<JobId, @Nullable Job> present, PastJobs pastJobs) {
        this.journal = journal;
        this.present = present;
        this.pastJobs = pastJobs;
    }

    /// Events of successive batches.
    ///
    /// @param upTo the last batch that was read
    record Portion(List<LiveEvent> events, long upTo) {}

    /// One listener's way through the journal. It remembers what it has read, to describe changes.
    final class Passage {
        private final EventTranslator translator = new EventTranslator();
        private final Map<JobId, TenantId> tenants = new HashMap<>();

        /// The events after `after` in the next batches; null if the journal no longer has them.
        ///
        /// @param last the last batch that may be read
        @Nullable Portion next(EventId after, long last, int mostBatches)
                throws InterruptedException {
            long from =
                    Math.max(
                            1,
                            after.index() == Integer.MAX_VALUE ? after.batch() + 1 : after.batch());
            long most = Math.min(mostBatches, last - from + 1);
            if (most <= 0) {
                return new Portion(List.of(), Math.max(last, after.batch()));
            }
            var events = new ArrayList<LiveEvent>();
            turns.acquire();
            try (JournalReader reader = journal.reader()) {
                long upTo =
                        reader.read(
                                from - 1,
                                most,
                                batch ->
                                        translator.translate(batch, tenantsOf(batch), events::add));
                events.removeIf(event -> !event.id().isAfter(after));
                return upTo < from ? null : new Portion(events, upTo);
            } catch (StoreException e) {
                if (e.kind() == StoreException.Kind.PRUNED) {
                    return null;
                }
                throw e;
            } finally {
                turns.release();
            }
        }

        /// A batch may end a job that it submitted, so the whole batch is looked through first.
        private JobTenants tenantsOf(Batch batch) {
            batch.facts().forEach(this::note);
            return job -> tenants.computeIfAbsent(job, JournalEvents.this::tenant);
        }

        private void note(Event event) {
            if (event instanceof Event.JobSubmitted e) {
                tenants.put(e.job(), e.spec().tenant());
            }
        }
    }

    /// The batch after which the journal begins.
    long base() {
        try (JournalReader reader = journal.reader()) {
            return reader.base();
        }
    }

    Passage passage() {
        return new Passage();
    }

    private @Nullable TenantId tenant(JobId id) {
        Job job = present.apply(id);
        Job found = job == null ? pastJobs.find(id) : job;
        return found == null ? null : found.tenant();
    }
}
