package io.gpusched.server.view;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;

/// All jobs in the queue of one view in the order of their positions, held jobs last.
///
/// It is sorted once, so that a reader can go to any place of a long queue: a page at the end costs
/// as much as the first. The alternative, to select the smallest keys for every page, reads the
/// whole queue for each page and most of it for the last ones.
public final class QueueIndex {
    private record Entry(long key, long number, TenantId tenant) {}

    private static final Comparator<Entry> BY_TURN =
            Comparator.comparingLong(Entry::key).thenComparingLong(Entry::number);

    private final View view;
    private final long[] numbers;

    private QueueIndex(View view, long[] numbers) {
        this.view = view;
        this.numbers = numbers;
    }

    static QueueIndex of(View view) {
        var entries = new ArrayList<Entry>();
        view.jobs()
                .forEachWaiting(
                        job ->
                                entries.add(
                                        new Entry(
                                                view.order().applyAsLong(job),
                                                job.id().number(),
                                                job.tenant())));
        entries.sort(BY_TURN);
        long[] waiting =
                view.byTenant()
                        ? byPosition(entries)
                        : entries.stream().mapToLong(Entry::number).toArray();
        return new QueueIndex(view, withHeld(waiting, view));
    }

    /// Where each tenant has a queue of its own: all first jobs, then all second ones. Jobs with
    /// the same position are in the order in which they came.
    private static long[] byPosition(List<Entry> entries) {
        var lengths = new HashMap<TenantId, Integer>();
        var byPosition = new ArrayList<List<Long>>();
        for (Entry entry : entries) {
            int position = lengths.merge(entry.tenant, 1, Integer::sum);
            if (position > byPosition.size()) {
                byPosition.add(new ArrayList<>());
            }
            byPosition.get(position - 1).add(entry.number);
        }
        return byPosition.stream()
                .flatMapToLong(numbers -> numbers.stream().mapToLong(Long::longValue).sorted())
                .toArray();
    }

    /// Adds the held jobs. They are few, and no table lists them: all jobs are searched from the
    /// newest, until as many are found as are known to be held.
    private static long[] withHeld(long[] waiting, View view) {
        int held = (int) (inQueue(view.stateCounts()) - waiting.length);
        long[] numbers = Arrays.copyOf(waiting, waiting.length + held);
        int place = numbers.length;
        for (long number = view.jobs().last(); place > waiting.length; number--) {
            Job job = view.jobs().job(number);
            if (job != null && job.phase() instanceof Phase.Held) {
                numbers[--place] = number;
            }
        }
        return numbers;
    }

    private static long inQueue(StateCounts counts) {
        return counts.of(PublicState.PENDING) + counts.of(PublicState.PREEMPTED);
    }

    public View view() {
        return view;
    }

    /// How many jobs are in the queue, held ones included.
    int size() {
        return numbers.length;
    }

    /// The number of the job at this place, from 0.
    long at(int place) {
        return numbers[place];
    }

    /// The index of the newest view that was asked for. Pages of the same view, such as those of a
    /// person who scrolls, share one; an index is only made when a request needs it.
    public static final class Latest {
        private @Nullable QueueIndex latest;

        /// Several requests at once wait for one index instead of each making the same one.
        public synchronized QueueIndex of(View view) {
            QueueIndex known = latest;
            if (known == null || known.view.batch() != view.batch()) {
                known = QueueIndex.of(view);
                latest = known;
            }
            return known;
        }
    }
}
