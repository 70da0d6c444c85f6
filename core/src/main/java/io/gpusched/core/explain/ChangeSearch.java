package io.gpusched.core.explain;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Placement;
import io.gpusched.core.place.Placer;
import io.gpusched.core.place.PreemptionTrial;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.IntFunction;

/// Finds the smallest changes of a request that would let its job start now. Every change that it
/// returns was tried by the same rules that decide; it returns at most a handful.
///
/// The size of a change is the part of the request that it gives up. A change without such a part
/// (another model, one label less) has a fixed size between small and large changes.
final class ChangeSearch {
    private static final int MOST = 6;

    /// The most searches for a placement, however many changes are possible.
    static final int MOST_TRIES = 200;

    /// The most nodes to look at: an explanation of a large gang delays other queries.
    private static final long MOST_NODES = 200_000;

    private record Sized(RequestChange requestChange, double size) {}

    private final Hypothesis hypothesis;
    private final Job job;
    private final List<Sized> found = new ArrayList<>();
    private final long lookedAtBefore;

    ChangeSearch(Hypothesis hypothesis, Job job) {
        this.hypothesis = hypothesis;
        this.job = job;
        this.lookedAtBefore = hypothesis.nodeSearch.nodesLookedAt;
    }

    List<RequestChange> smallest() {
        new SmallerRequests(this, hypothesis.state, job.spec()).tryAll();
        higherPriority();
        found.sort(Comparator.comparingDouble(Sized::size));
        return found.stream().limit(MOST).map(Sized::requestChange).toList();
    }

    boolean mayTryMore() {
        return hypothesis.tries < MOST_TRIES
                && hypothesis.nodeSearch.nodesLookedAt - lookedAtBefore < MOST_NODES;
    }

    /// Where the job would start with this request instead; null if nowhere.
    @Nullable Placement start(JobSpec spec) {
        if (!mayTryMore()) {
            return null;
        }
        Placer.Found place = hypothesis.start(job.with(spec));
        return place == null ? null : place.placement();
    }

    /// Adds the change to the largest number in [least, most] with which the job would start, if
    /// there is one. It assumes that the job also starts with every smaller number.
    void most(int least, int most, IntFunction<JobSpec> with, IntFunction<Words> words) {
        int does = least - 1;
        int not = most + 1;
        Placement place = null;
        // The smallest change is the best one and often works, so it is tried first.
        int next = most;
        while (not - does > 1 && mayTryMore()) {
            Placement here = start(with.apply(next));
            if (here == null) {
                not = next;
            } else {
                does = next;
                place = here;
            }
            next = not == most && does < least ? least : (does + not) >>> 1;
            next = Math.max(next, does + 1);
        }
        if (place != null) {
            add(words.apply(does), place, List.of());
        }
    }

    /// The text of a change.
    record Words(String field, String from, String to, String words, double size) {}

    /// Adds the change if the job would start with it; returns whether it would.
    boolean attempt(JobSpec spec, Words words) {
        Placement place = start(spec);
        if (place != null) {
            add(words, place, List.of());
        }
        return place != null;
    }

    void add(Words words, Placement place, List<JobId> victims) {
        found.add(
                new Sized(
                        new RequestChange(
                                words.field, words.from, words.to, words.words, place, victims),
                        words.size));
    }

    static String jobs(int count) {
        return count == 1 ? "1 other job" : count + " other jobs";
    }

    /// Adds the lowest priority at which other jobs would be preempted for the job. A job that is
    /// preempted for a priority is also preempted for a higher one, so a binary search finds it.
    private void higherPriority() {
        var steps = new TreeSet<Integer>();
        for (Job other : hypothesis.state.runs().preemptible()) {
            long enough = hypothesis.leavesFor(other);
            if (enough > job.priority() && enough <= Integer.MAX_VALUE) {
                steps.add((int) enough);
            }
        }
        var priorities = new ArrayList<>(steps);
        PreemptionTrial.Leaving best = null;
        int enough = priorities.size();
        int tooLow = -1;
        int next = priorities.size() - 1;
        while (enough - tooLow > 1 && mayTryMore()) {
            Job raised = job.withPriority(priorities.get(next), hypothesis.now);
            PreemptionTrial.Leaving leaving =
                    hypothesis.gate(raised) == null ? hypothesis.room(raised) : null;
            if (leaving == null) {
                if (next == priorities.size() - 1) {
                    return;
                }
                tooLow = next;
            } else {
                enough = next;
                best = leaving;
            }
            next = (tooLow + enough) >>> 1;
        }
        if (best != null) {
            int priority = priorities.get(enough);
            add(
                    new Words(
                            "priority",
                            Integer.toString(job.priority()),
                            Integer.toString(priority),
                            "priority "
                                    + priority
                                    + " instead of "
                                    + job.priority()
                                    + (best.victims().isEmpty()
                                            ? ", when those have left that are stopping"
                                            : ", which stops " + jobs(best.victims().size())),
                            0.35),
                    best.placement(),
                    best.victims().stream().map(Job::id).toList());
        }
    }
}
