package io.gpusched.lab.spot;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.spot.DeadlineRule;
import io.gpusched.core.spot.SpotChoice;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

/// Against every possible plan, on short traces.
final class DeadlineOptimumTest {
    private static final int SEEDS = 60;
    private static final int TICK = 600;
    private static final List<String> OVERHEADS = List.of("0", "0.02", "0.1", "0.2", "0.35");

    @Test
    void theOptimumIsTheCheapestOfAllPlans() {
        for (long seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            var trace = new StringBuilder();
            for (int i = 0; i < 9; i++) {
                trace.append(random.nextInt(3) == 0 ? '0' : '1');
            }
            String overhead = OVERHEADS.get(random.nextInt(OVERHEADS.size()));
            var given = new DeadlineCase("r", "0", "0.75", "1.5", overhead);
            var recorded = new DeadlineTraces.Trace("r", "0", TICK, trace.toString());
            double all = cheapest(given, recorded, 0, SpotChoice.WAIT, 0, 0);
            assertThat(DeadlineOptimum.cost(given, recorded))
                    .as("seed %d", seed)
                    .isCloseTo(all, Offset.offset(1e-9));
            DeadlineRow row = DeadlineRow.of(given, recorded, new DeadlineRule(4));
            assertThat(row.run(DeadlineRow.OURS).missed()).as("seed %d", seed).isFalse();
            assertThat(row.cost(DeadlineRow.OURS)).isGreaterThanOrEqualTo(all - 1e-9);
        }
    }

    private static double cheapest(
            DeadlineCase given,
            DeadlineTraces.Trace trace,
            int tick,
            SpotChoice last,
            double left,
            double done) {
        if (done >= given.task() - 1e-6) {
            return 0;
        }
        if ((tick + 1.0) * TICK > given.deadline() + 1e-6) {
            return Double.POSITIVE_INFINITY;
        }
        boolean has = trace.has(tick);
        SpotChoice current = last == SpotChoice.SPOT && !has ? SpotChoice.WAIT : last;
        double best = cheapest(given, trace, tick + 1, SpotChoice.WAIT, 0, done);
        for (SpotChoice next : List.of(SpotChoice.SPOT, SpotChoice.ON_DEMAND)) {
            if (next == SpotChoice.SPOT && !has) {
                continue;
            }
            double before = next == current ? left : given.overhead();
            double loses = Math.min(TICK, before);
            double rest =
                    cheapest(given, trace, tick + 1, next, before - loses, done + TICK - loses);
            best = Math.min(best, rest + DeadlineRun.price(next, TICK));
        }
        return best;
    }
}
