package io.gpusched.bench.report;

/// The target of a figure. Figures that only explain another one have [None].
public sealed interface Target {
    record None() implements Target {}

    record AtLeast(double bound) implements Target {}

    record AtMost(double bound) implements Target {}

    static Target none() {
        return new None();
    }

    static Target atLeast(double bound) {
        return new AtLeast(bound);
    }

    static Target atMost(double bound) {
        return new AtMost(bound);
    }

    default boolean isReachedBy(double value) {
        return switch (this) {
            case None none -> true;
            case AtLeast least -> value >= least.bound;
            case AtMost most -> value <= most.bound;
        };
    }
}
