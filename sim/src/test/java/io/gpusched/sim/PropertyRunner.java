package io.gpusched.sim;

import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Runs a property over many seeded lists of steps. When one fails, it looks for the shortest beginning
/// of the list that fails too and shows that, with the seed to run again: `-Dseed=17`.
///
/// Seeds count from 1, so that a build is repeatable; `-Dseeds=10000` looks further.
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
        for (long seed = 1; seed <= Integer.getInteger("seeds", seeds); seed++) {
            checkOne(seed, draw.apply(seed), property);
        }
    }

    private static <T> void checkOne(long seed, List<T> steps, Property<T> property) {
        Throwable failure = failure(seed, steps, property);
        if (failure == null) {
            return;
        }
        int length = steps.size();
        Throwable shortest = failure;
        for (int shorter = 0; shorter < steps.size(); shorter++) {
            Throwable found = failure(seed, steps.subList(0, shorter), property);
            if (found != null) {
                length = shorter;
                shortest = found;
                break;
            }
        }
        String shown =
                steps.subList(0, length).stream()
                        .map(step -> "    " + step)
                        .collect(Collectors.joining("\n"));
        throw new AssertionError(
                "seed %d fails after %d of %d steps; run it again with -Dseed=%d\n%s\n%s"
                        .formatted(seed, length, steps.size(), seed, shown, shortest),
                shortest);
    }

    // Whatever a property throws is its way to object: assertions, violations and broken checks alike.
    @SuppressWarnings("CatchingUnchecked")
    private static <T> @Nullable Throwable failure(
            long seed, List<T> steps, Property<T> property) {
        try {
            property.hold(seed, steps);
            return null;
        } catch (RuntimeException | AssertionError e) {
            return e;
        }
    }
}
