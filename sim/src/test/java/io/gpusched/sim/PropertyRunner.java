package io.gpusched.sim;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Runs a property over many seeded lists of steps. When one fails, it looks for the shortest
/// beginning of the list that fails too, leaves out what the failure does not need, and shows the
/// rest with the seed to run it again: `-Dseed=17`.
///
/// Seeds count from 1, so that a build is repeatable; `-Dseeds=10000` looks further, and so does
/// `-Plong`, which takes twenty times as many.
final class PropertyRunner {
    /// What must hold for some steps; it objects by throwing.
    interface Property<T> {
        void hold(long seed, List<T> steps);
    }

    private PropertyRunner() {}

    static <T> void check(int seeds, LongFunction<List<T>> draw, Property<T> property) {
        Long only = Long.getLong("seed");
        if (only != null) {
            checkOne(only, draw.apply(only), property);
            return;
        }
        int last = Integer.getInteger("seeds", seeds * Integer.getInteger("seeds.times", 1));
        for (long seed = 1; seed <= last; seed++) {
            checkOne(seed, draw.apply(seed), property);
        }
    }

    private static <T> void checkOne(long seed, List<T> steps, Property<T> property) {
        Throwable failure = failure(seed, steps, property);
        if (failure == null) {
            return;
        }
        List<T> fewest = withoutNeedless(seed, shortestPrefix(seed, steps, property), property);
        Throwable shown = failure(seed, fewest, property);
        throw new AssertionError(
                "seed %d fails with %d of %d steps; run it again with -Dseed=%d\n%s\n%s\n%s"
                        .formatted(
                                seed,
                                fewest.size(),
                                steps.size(),
                                seed,
                                lines(fewest),
                                shown,
                                where(shown == null ? failure : shown)),
                failure);
    }

    private static <T> List<T> shortestPrefix(long seed, List<T> steps, Property<T> property) {
        for (int length = 0; length < steps.size(); length++) {
            if (failure(seed, steps.subList(0, length), property) != null) {
                return steps.subList(0, length);
            }
        }
        return steps;
    }

    /// Leaves out, one by one, whatever the failure does not need.
    private static <T> List<T> withoutNeedless(long seed, List<T> steps, Property<T> property) {
        var needed = new ArrayList<>(steps);
        for (int at = needed.size() - 1; at >= 0; at--) {
            T step = needed.remove(at);
            if (failure(seed, needed, property) == null) {
                needed.add(at, step);
            }
        }
        return needed;
    }

    private static String lines(List<?> steps) {
        return steps.stream().map(step -> "    " + step).collect(Collectors.joining("\n"));
    }

    private static String where(Throwable failure) {
        return Stream.of(failure.getStackTrace())
                .limit(8)
                .map(frame -> "        at " + frame)
                .collect(Collectors.joining("\n"));
    }

    // Whatever a property throws is its way to object: assertions, violations and broken checks
    // alike.
    @SuppressWarnings("CatchingUnchecked")
    private static <T> @Nullable Throwable failure(long seed, List<T> steps, Property<T> property) {
        try {
            property.hold(seed, steps);
            return null;
        } catch (RuntimeException | AssertionError e) {
            return e;
        }
    }
}
