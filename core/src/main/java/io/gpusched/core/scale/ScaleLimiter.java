package io.gpusched.core.scale;

import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.ScaleBehavior;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Limits how fast a pool changes its size, by the rules of the Kubernetes autoscaler: a change
/// must be recommended for the whole stabilisation window, and only so many replicas are added or
/// removed within a period.
///
///     recommended ──▶ stabilised by past recommendations ──▶ limited by past changes ──▶ min, max
///
/// It remembers what the longest window and period need. Its state is made of values, so that a
/// snapshot can hold it.
public final class ScaleLimiter {
    /// Nothing older than this is kept, whatever the rules say.
    private static final Duration LONGEST = Duration.ofHours(1);

    /// A window of an hour with a decision each second.
    private static final int MOST = 3_600;

    /// Everything, for a snapshot.
    public record Image(List<PastRecommendation> recommendations, List<SizeChange> changes) {
        public static final Image EMPTY = new Image(List.of(), List.of());

        public Image {
            recommendations = List.copyOf(recommendations);
            changes = List.copyOf(changes);
        }
    }

    private final ArrayDeque<PastRecommendation> recommendations = new ArrayDeque<>();
    private final ArrayDeque<SizeChange> changes = new ArrayDeque<>();

    public static ScaleLimiter restored(Image image) {
        var limiter = new ScaleLimiter();
        limiter.recommendations.addAll(image.recommendations());
        limiter.changes.addAll(image.changes());
        return limiter;
    }

    public Image image() {
        return new Image(new ArrayList<>(recommendations), new ArrayList<>(changes));
    }

    /// Remembers a recommendation. Call it after [#limit] of the same instant or before; the
    /// recommendation of an instant counts once.
    public void recommended(Instant at, int replicas) {
        PastRecommendation last = recommendations.peekLast();
        if (last != null && last.at().equals(at)) {
            recommendations.removeLast();
        }
        recommendations.addLast(new PastRecommendation(at, replicas));
        while (recommendations.size() > MOST
                || recommendations.getFirst().at().isBefore(at.minus(LONGEST))) {
            recommendations.removeFirst();
        }
    }

    /// Remembers that the size was changed.
    public void changed(Instant at, int from, int to) {
        if (from != to) {
            changes.addLast(new SizeChange(at, to - from));
        }
        while (!changes.isEmpty()
                && (changes.size() > MOST || changes.getFirst().at().isBefore(at.minus(LONGEST)))) {
            changes.removeFirst();
        }
    }

    /// The size that a pool of `current` replicas may have now, when `wanted` are recommended.
    public Limited limit(Instant now, Pool pool, int current, int wanted) {
        ScaleBehavior up = pool.scaling().up();
        ScaleBehavior down = pool.scaling().down();
        int stable = stabilized(now, up, down, current, wanted);
        Limited limited = limit(now, new Bounds(pool.min(), pool.max(), up, down), current, stable);
        if (limited.limit() == Limited.Limit.NONE && stable != wanted) {
            return new Limited(
                    stable,
                    Limited.Limit.STABILIZATION,
                    Reason.text(
                            "stabilisation keeps %d: %d is recommended, but not for the whole"
                                    + " window of %ds",
                            stable,
                            wanted,
                            (wanted > current ? up : down).stabilization().toSeconds()));
        }
        return limited;
    }

    /// The size that every recommendation of the window allows: to grow, the smallest of them; to
    /// shrink, the largest.
    public int stabilized(
            Instant now, ScaleBehavior up, ScaleBehavior down, int current, int wanted) {
        int least = wanted;
        int most = wanted;
        for (PastRecommendation past : recommendations) {
            if (past.at().isAfter(now.minus(up.stabilization()))) {
                least = Math.min(least, past.replicas());
            }
            if (past.at().isAfter(now.minus(down.stabilization()))) {
                most = Math.max(most, past.replicas());
            }
        }
        return Math.min(Math.max(current, least), most);
    }

    /// How large and how small a pool may be, and how fast it may change.
    public record Bounds(int min, int max, ScaleBehavior up, ScaleBehavior down) {}

    /// The size within the steps and the bounds, for an already stable recommendation.
    public Limited limit(Instant now, Bounds bounds, int current, int wanted) {
        if (wanted > current) {
            int step = highest(now, bounds.up(), current);
            if (wanted > Math.min(step, bounds.max())) {
                return step < bounds.max()
                        ? new Limited(step, Limited.Limit.UP_STEP, stepReason("up", step, wanted))
                        : atMost(bounds.max(), wanted);
            }
        } else if (wanted < current) {
            int step = lowest(now, bounds.down(), current);
            if (wanted < Math.max(step, bounds.min())) {
                return step > bounds.min()
                        ? new Limited(
                                step, Limited.Limit.DOWN_STEP, stepReason("down", step, wanted))
                        : atLeast(bounds.min(), wanted);
            }
        }
        if (wanted > bounds.max()) {
            return atMost(bounds.max(), wanted);
        }
        return wanted < bounds.min()
                ? atLeast(bounds.min(), wanted)
                : new Limited(wanted, Limited.Limit.NONE, "");
    }

    private static String stepReason(String direction, int step, int wanted) {
        return Reason.text(
                "the steps of scaling %s allow %d now, %d are recommended",
                direction, step, wanted);
    }

    private static Limited atMost(int max, int wanted) {
        return new Limited(
                max, Limited.Limit.MAX, Reason.text("max is %d, %d are recommended", max, wanted));
    }

    private static Limited atLeast(int min, int wanted) {
        return new Limited(
                min, Limited.Limit.MIN, Reason.text("min is %d, %d are recommended", min, wanted));
    }

    private int highest(Instant now, ScaleBehavior up, int current) {
        if (up.select() == ScaleBehavior.Select.DISABLED) {
            return current;
        }
        Integer found = null;
        for (ScaleBehavior.Step step : up.steps()) {
            long start = start(now, step.period(), current);
            long limit =
                    step.percent()
                            ? Math.ceilDiv(start * (100L + step.value()), 100L)
                            : start + step.value();
            found = select(up, found, (int) Math.min(Integer.MAX_VALUE, limit), true);
        }
        return found == null ? Integer.MAX_VALUE : Math.max(current, found);
    }

    private int lowest(Instant now, ScaleBehavior down, int current) {
        if (down.select() == ScaleBehavior.Select.DISABLED) {
            return current;
        }
        Integer found = null;
        for (ScaleBehavior.Step step : down.steps()) {
            long start = start(now, step.period(), current);
            long limit =
                    step.percent() ? start * (100L - step.value()) / 100 : start - step.value();
            found = select(down, found, (int) Math.max(Integer.MIN_VALUE, limit), false);
        }
        return found == null ? Integer.MIN_VALUE : Math.min(current, found);
    }

    /// The step that allows the most change, or the least.
    private static int select(
            ScaleBehavior behavior, @Nullable Integer found, int limit, boolean up) {
        if (found == null) {
            return limit;
        }
        boolean larger = behavior.select() == ScaleBehavior.Select.LARGEST;
        return larger == up ? Math.max(found, limit) : Math.min(found, limit);
    }

    /// The size at the start of the period.
    private long start(Instant now, Duration period, int current) {
        long start = current;
        for (SizeChange change : changes) {
            if (change.at().isAfter(now.minus(period))) {
                start -= change.replicas();
            }
        }
        return start;
    }
}
