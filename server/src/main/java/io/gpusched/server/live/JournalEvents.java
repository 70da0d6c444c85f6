package io.gpusched.server.live;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.view.PastJobs;
import io.gpusched.store.JournalReader;
import io.gpusched.store.SqlJournal;
import io.gpusched.store.StoreException;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;

/// Events that are no longer in the ring, from the journal.
///
/// At most [#AT_ONCE] listeners read at a time, so that a crowd that reconnects cannot take all
/// processors and connections to the store; the others wait for their turn.
public final class JournalEvents {
    /// What [Passage#next] returns for batches that the journal does not have any more.
    static final long GONE = -1;

    private static final int AT_ONCE = 2;

    /// Of how many jobs a listener remembers the tenant.
    private static final int MOST_REMEMBERED = 1 << 16;

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

    /// One listener's way through the journal. It remembers what it has read, to describe changes.
    final class Passage {
        private final EventTranslator translator = new EventTranslator();
        private final Map<JobId, Optional<TenantId>> tenants = new HashMap<>();

        /// Passes on the events after `after` up to and with `upTo`. It ends after a batch in which
        /// `into` answered false, so that a reader never holds more than it wants and one batch.
        /// Returns the last batch that was read; [#GONE] if the journal no longer has them.
        long next(EventId after, EventId upTo, int mostBatches, Predicate<LiveEvent> into)
                throws InterruptedException {
            long from =
                    Math.max(
                            1,
                            after.index() == Integer.MAX_VALUE ? after.batch() + 1 : after.batch());
            long most = Math.min(mostBatches, upTo.batch() - from + 1);
            if (most <= 0) {
                return Math.max(upTo.batch(), after.batch());
            }
            Predicate<LiveEvent> inside =
                    event ->
                            !event.id().isAfter(after)
                                    || event.id().isAfter(upTo)
                                    || into.test(event);
            turns.acquire();
            try (JournalReader reader = journal.reader()) {
                long last = reader.readWhile(from - 1, most, batch -> pass(batch, inside));
                return last < from ? GONE : last;
            } catch (StoreException e) {
                if (e.kind() == StoreException.Kind.PRUNED) {
                    return GONE;
                }
                throw e;
            } finally {
                turns.release();
            }
        }

        /// Passes on the events of a batch; false if `into` has enough.
        private boolean pass(Batch batch, Predicate<LiveEvent> into) {
            var hasEnough = new AtomicBoolean();
            lookUpTenants(batch);
            translator.translate(
                    batch,
                    this::tenant,
                    event -> {
                        if (!into.test(event)) {
                            hasEnough.set(true);
                        }
                    });
            return !hasEnough.get();
        }

        /// A batch may end a job that it submitted, so the whole batch is looked through first. Its
        /// past jobs are looked up together.
        private void lookUpTenants(Batch batch) {
            if (tenants.size() > MOST_REMEMBERED) {
                tenants.clear();
            }
            var past = new HashSet<JobId>();
            for (List<Event> events : List.of(batch.facts(), batch.decided())) {
                for (Event event : events) {
                    JobId job = PastJobs.about(event);
                    if (event instanceof Event.JobSubmitted e) {
                        tenants.put(e.job(), Optional.of(e.spec().tenant()));
                    } else if (job != null && !tenants.containsKey(job) && !isPresent(job)) {
                        past.add(job);
                    }
                }
            }
            past.removeAll(tenants.keySet());
            Map<JobId, TenantId> found = pastJobs.tenants(past);
            past.forEach(job -> tenants.put(job, Optional.ofNullable(found.get(job))));
        }

        private boolean isPresent(JobId id) {
            Job job = present.apply(id);
            if (job != null) {
                tenants.put(id, Optional.of(job.tenant()));
            }
            return job != null;
        }

        /// Jobs that only a message names are looked up one by one, each once.
        private @Nullable TenantId tenant(JobId id) {
            if (!tenants.containsKey(id) && !isPresent(id)) {
                tenants.put(id, Optional.ofNullable(pastJobs.tenants(Set.of(id)).get(id)));
            }
            return tenants.getOrDefault(id, Optional.empty()).orElse(null);
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
}
