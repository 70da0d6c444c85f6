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

/// Where jobs stand in the queue, exactly: one more than the number of waiting jobs before them.
/// Where tenants take turns, it is the place in the line of the job's own tenant: how turns will
/// fall depends on what starts and ends until then, so a place among all would be a guess.
///
/// One pass over the waiting jobs finds the positions of any number of them at once: each waiting
/// job is looked up among the few that are asked for (by binary search) and counted there; the
/// running sum of the counts gives the positions. A million jobs take some tens of milliseconds.
public final class QueuePositions {
    private record Place(long key, long number) {}

    private static final Comparator<Place> IN_LINE =
            Comparator.comparingLong(Place::key).thenComparingLong(Place::number);

    private QueuePositions() {}

    /// The jobs of one line that are asked for, and what was counted before each.
    private static final class Counted {
        private final List<Place> places = new ArrayList<>();
        private long[] ahead = {};

        void sort() {
            places.sort(IN_LINE);
            ahead = new long[places.size()];
        }

        /// A job waits in this line: it is before all places from some place on.
        void count(long key, long number) {
            int first = firstNotBefore(places, key, number);
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

    /// Positions from 1; jobs that do not wait are absent, held ones too.
    public static Map<JobId, Long> of(List<Job> wanted, View view) {
        var lines = new HashMap<TenantId, Counted>();
        for (Job job : wanted) {
            if (job.phase() instanceof Phase.Waiting) {
                lines.computeIfAbsent(line(job, view), id -> new Counted())
                        .places
                        .add(new Place(view.order().applyAsLong(job), job.id().number()));
            }
        }
        if (lines.isEmpty()) {
            return Map.of();
        }
        lines.values().forEach(Counted::sort);
        countAhead(lines, view);
        var positions = new HashMap<JobId, Long>();
        lines.values().forEach(line -> line.addTo(positions));
        return positions;
    }

    /// As it is told: from 1 in the queue, -1 for a held job, 0 for one that no longer waits.
    public static long shown(Job job, Map<JobId, Long> positions) {
        return job.phase() instanceof Phase.Held ? -1 : positions.getOrDefault(job.id(), 0L);
    }

    /// Whose line the job stands in; all stand in one where tenants do not take turns.
    private static TenantId line(Job job, View view) {
        return view.byTenant() ? job.tenant() : Tenant.DEFAULT;
    }

    private static void countAhead(Map<TenantId, Counted> lines, View view) {
        view.jobs()
                .forEachWaiting(
                        job -> {
                            Counted line = lines.get(line(job, view));
                            if (line != null) {
                                line.count(view.order().applyAsLong(job), job.id().number());
                            }
                        });
    }

    /// The first place that is strictly behind (key, number).
    private static int firstNotBefore(List<Place> places, long key, long number) {
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
