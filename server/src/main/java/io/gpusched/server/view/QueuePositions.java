package io.gpusched.server.view;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Computes exact queue positions of jobs: one more than the number of waiting jobs before them. If
/// the policy orders by tenant, it is the position among the jobs of the same tenant: the order
/// between tenants depends on what starts and ends until then, so a position among all jobs would
/// be a guess.
///
/// One pass over the waiting jobs finds the positions of any number of them at once: each waiting
/// job is looked up among the few requested ones (by binary search) and counted there; the running
/// sum of the counts gives the positions. A million jobs take some tens of milliseconds.
public final class QueuePositions {
    private record Place(long key, long number) {}

    private static final Comparator<Place> BY_TURN =
            Comparator.comparingLong(Place::key).thenComparingLong(Place::number);

    private QueuePositions() {}

    /// The requested jobs of one queue, and the number of jobs counted before each.
    private static final class Counted {
        private final List<Place> places = new ArrayList<>();
        private long[] ahead = {};

        void sort() {
            places.sort(BY_TURN);
            ahead = new long[places.size()];
        }

        /// Counts a job that waits in this queue: it is before all requested jobs from some index
        /// on.
        void count(long key, long number) {
            int first = firstAfter(places, key, number);
            if (first < ahead.length) {
                ahead[first]++;
            }
        }

        void addTo(Map<JobId, Long> positions) {
            long sum = 0;
            for (int i = 0; i < ahead.length; i++) {
                sum += ahead[i];
                positions.put(new JobId(places.get(i).number), sum + 1);
            }
        }
    }

    /// Positions from 1; jobs that do not wait, and held jobs, are absent.
    public static Map<JobId, Long> of(List<Job> wanted, View view) {
        var queues = new HashMap<TenantId, Counted>();
        for (Job job : wanted) {
            if (job.phase() instanceof Phase.Waiting) {
                queues.computeIfAbsent(queueOf(job, view), id -> new Counted())
                        .places
                        .add(new Place(view.order().applyAsLong(job), job.id().number()));
            }
        }
        if (queues.isEmpty()) {
            return Map.of();
        }
        queues.values().forEach(Counted::sort);
        countAhead(queues, view);
        var positions = new HashMap<JobId, Long>();
        queues.values().forEach(queue -> queue.addTo(positions));
        return positions;
    }

    /// The position as the API shows it: from 1 in the queue, -1 for a held job, 0 for a job that
    /// no longer waits.
    public static long shown(Job job, Map<JobId, Long> positions) {
        return job.phase() instanceof Phase.Held ? -1 : positions.getOrDefault(job.id(), 0L);
    }

    /// The tenant in whose queue the job waits; the same for all jobs if the policy does not order
    /// by tenant.
    private static TenantId queueOf(Job job, View view) {
        return view.byTenant() ? job.tenant() : Tenant.DEFAULT;
    }

    private static void countAhead(Map<TenantId, Counted> queues, View view) {
        view.jobs()
                .forEachWaiting(
                        job -> {
                            Counted queue = queues.get(queueOf(job, view));
                            if (queue != null) {
                                queue.count(view.order().applyAsLong(job), job.id().number());
                            }
                        });
    }

    /// The index of the first requested job strictly after (key, number).
    private static int firstAfter(List<Place> places, long key, long number) {
        int low = 0;
        int high = places.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            Place place = places.get(middle);
            boolean behind = place.key > key || (place.key == key && place.number > number);
            if (behind) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
