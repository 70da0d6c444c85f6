package io.gpusched.server.view;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Phase;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Where jobs stand in the queue, exactly: one more than the number of waiting jobs before them.
///
/// One pass over all jobs finds the positions of any number of them at once: each waiting job is
/// looked up among the few that are asked for (by binary search) and counted there; the running sum
/// of the counts gives the positions. A million jobs take some tens of milliseconds.
public final class Positions {
    private record Place(long key, long number) {}

    private static final Comparator<Place> IN_LINE =
            Comparator.comparingLong(Place::key).thenComparingLong(Place::number);

    private Positions() {}

    /// Positions from 1; jobs that do not wait are absent, held ones too.
    public static Map<JobId, Long> of(List<Job> wanted, View view) {
        List<Place> places = new ArrayList<>();
        for (Job job : wanted) {
            if (job.phase() instanceof Phase.Waiting) {
                places.add(new Place(view.order().applyAsLong(job), job.id().number()));
            }
        }
        if (places.isEmpty()) {
            return Map.of();
        }
        places.sort(IN_LINE);
        long[] ahead = countAhead(places, view);
        var positions = new HashMap<JobId, Long>();
        long sum = 0;
        for (int i = 0; i < places.size(); i++) {
            sum += ahead[i];
            positions.put(new JobId(places.get(i).number), sum + 1);
        }
        return positions;
    }

    /// For each place, the waiting jobs before it that are not before an earlier place.
    private static long[] countAhead(List<Place> places, View view) {
        long[] ahead = new long[places.size()];
        for (long number = view.jobs().first(); number <= view.jobs().last(); number++) {
            Job job = view.jobs().job(number);
            if (job == null || !(job.phase() instanceof Phase.Waiting)) {
                continue;
            }
            int first = firstNotBefore(places, view.order().applyAsLong(job), number);
            if (first < ahead.length) {
                ahead[first]++;
            }
        }
        return ahead;
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
