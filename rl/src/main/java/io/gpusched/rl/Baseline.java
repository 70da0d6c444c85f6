package io.gpusched.rl;

import io.gpusched.sim.generate.RandomStream;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/// Baseline players. Each starts, of the jobs that can start, the best by its rule; among equals
/// the earliest. A player waits only if no job can start.
public enum Baseline implements ActionPolicy {
    /// The one that has waited longest.
    FIFO {
        @Override
        double liking(Observation seen, int place) {
            return seen.waited(place);
        }
    },
    /// The shortest.
    SJF {
        @Override
        double liking(Observation seen, int place) {
            return -seen.length(place);
        }
    },
    /// Any of them.
    RAND_FEAS_NO0 {
        @Override
        public int choose(Observation seen, RandomStream random) {
            int feasible = 0;
            for (int place = 0; place < seen.jobs(); place++) {
                feasible += seen.isFeasible(place) ? 1 : 0;
            }
            int left = feasible == 0 ? -1 : random.whole(0, feasible);
            for (int place = 0; place < seen.jobs(); place++) {
                if (seen.isFeasible(place) && left-- == 0) {
                    return place + 1;
                }
            }
            return 0;
        }

        @Override
        double liking(Observation seen, int place) {
            return 0;
        }
    },
    /// The most important; among those, the one that has waited longest.
    PRIORITY {
        @Override
        double liking(Observation seen, int place) {
            return 2 * Math.rint(1e6 * seen.priority(place)) + seen.waited(place);
        }
    },
    /// The one that wants the fewest GPUs.
    NARROWEST {
        @Override
        double liking(Observation seen, int place) {
            return -seen.gpus(place);
        }
    },
    /// The least GPU time.
    LEAST_WORK {
        @Override
        double liking(Observation seen, int place) {
            return -(double) seen.gpus(place) * seen.length(place);
        }
    },
    /// The most GPUs, to the fourth power, for its time.
    INDEX {
        @Override
        double liking(Observation seen, int place) {
            double gpus = seen.gpus(place);
            return gpus * gpus * gpus * gpus / seen.length(place);
        }
    };

    /// Those of the published table, in its order.
    public static final List<Baseline> PUBLISHED = List.of(FIFO, SJF, RAND_FEAS_NO0);

    public static final List<String> NAMES = Arrays.stream(values()).map(Baseline::name).toList();

    /// Null when there is none of that name.
    public static @Nullable Baseline named(String name) {
        int at = NAMES.indexOf(name);
        return at < 0 ? null : values()[at];
    }

    abstract double liking(Observation seen, int place);

    @Override
    public int choose(Observation seen, RandomStream random) {
        int best = 0;
        double most = Double.NEGATIVE_INFINITY;
        for (int place = 0; place < seen.jobs(); place++) {
            if (seen.isFeasible(place)) {
                double liking = liking(seen, place);
                if (liking > most) {
                    most = liking;
                    best = place + 1;
                }
            }
        }
        return best;
    }
}
