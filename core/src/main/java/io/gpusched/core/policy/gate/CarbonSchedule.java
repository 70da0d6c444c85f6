package io.gpusched.core.policy.gate;

import io.gpusched.core.model.CarbonForecast;
import io.gpusched.core.model.Check;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/// How many nodes an elastic job uses in each slot until its deadline, so that it emits the least
/// carbon: the greedy rule of CarbonScaler (SIGMETRICS 2024).
///
/// The next node goes to the slot in which it adds the most work per gram. The rule stops when the
/// slots together do all the work. One step looks at the best next node of every slot, so a plan
/// takes one step of a heap per node, however many slots there are. For profiles in which every
/// further node adds less per watt than the one before, no plan emits less, apart from the last
/// node, which may be used in part only.
///
///     g/kWh     300   120   110   260
///     nodes       0     2     3     0     work for two slots on two nodes, done while power is
/// clean
public final class CarbonSchedule {
    /// One more node in one slot.
    private record Step(int slot, int nodes, double workPerGram) {
        static final Comparator<Step> BEST_FIRST =
                Comparator.comparingDouble((Step step) -> -step.workPerGram)
                        .thenComparingInt(Step::slot)
                        .thenComparingInt(Step::nodes);
    }

    private final CarbonForecast forecast;
    private final int first;
    private final ScalingProfile profile;
    private final int[] nodes;
    private final boolean complete;

    private CarbonSchedule(
            CarbonForecast forecast,
            int first,
            ScalingProfile profile,
            int[] nodes,
            boolean complete) {
        this.forecast = forecast;
        this.first = first;
        this.profile = profile;
        this.nodes = nodes;
        this.complete = complete;
    }

    /// Plans the work within the given number of slots from `first` on.
    ///
    /// @param work in the unit of the profile's throughput, per slot
    public static CarbonSchedule plan(
            CarbonForecast forecast, int first, int slots, ScalingProfile profile, double work) {
        Check.that(
                first >= 0 && slots >= 0 && first + (long) slots <= forecast.slots(),
                "a plan lies within the forecast of %s slots, found %s slots from %s",
                forecast.slots(),
                slots,
                first);
        var steps = new PriorityQueue<>(Step.BEST_FIRST);
        for (int slot = 0; slot < slots; slot++) {
            steps.add(step(forecast.grams(first + slot), slot, 1, profile));
        }
        int[] nodes = new int[slots];
        double done = 0;
        while (done < work && !steps.isEmpty()) {
            Step best = steps.remove();
            int slot = best.slot();
            nodes[slot] = best.nodes();
            done += profile.gain(best.nodes());
            if (best.nodes() < profile.maxNodes()) {
                double grams = forecast.grams(first + slot);
                steps.add(step(grams, slot, best.nodes() + 1, profile));
            }
        }
        return new CarbonSchedule(forecast, first, profile, nodes, done >= work);
    }

    private static Step step(double grams, int slot, int nodes, ScalingProfile profile) {
        return new Step(slot, nodes, profile.gain(nodes) / (profile.power(nodes) * grams));
    }

    /// The number of nodes, slot by slot.
    public List<Integer> nodes() {
        return IntStream.of(nodes).boxed().toList();
    }

    /// Whether the slots are enough for the work.
    public boolean isComplete() {
        return complete;
    }

    /// Emissions of the plan, in grams, for slots of one hour.
    public double grams() {
        double sum = 0;
        for (int slot = 0; slot < nodes.length; slot++) {
            sum += profile.watts().get(nodes[slot]) * forecast.grams(first + slot) / 1000;
        }
        return sum * forecast.slot().toMillis() / 3_600_000;
    }
}
