package io.gpusched.core.policy.pack;

import io.gpusched.core.model.GpuModel;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.TypicalWorkload;
import io.gpusched.core.state.TypicalWorkload.Need;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// Prices of places that some tasks cannot do without: whole GPUs side by side with enough cores,
/// and GPUs of certain models.
///
/// The price of such a place is what would be lost without it, times the probability that all such
/// places will be requested before the cluster is full. While there are plenty it is near zero; for
/// the last ones it is their full value.
final class ScarcityPrice {
    /// One kind of place.
    ///
    /// @param gpus whole GPUs side by side; 0 where `models` are what counts
    /// @param mean places requested by an average task
    /// @param square the mean of their squares
    private record Place(
            int gpus, long milliCpu, Set<GpuModel> models, double mean, double square) {
        /// How many of these places the node still has; thousandths of GPUs where models count.
        int on(RemainingCapacity remainingCapacity) {
            if (gpus == 0) {
                return !remainingCapacity.gpus.isEmpty()
                                && models.contains(remainingCapacity.gpus.getFirst().model())
                        ? remainingCapacity.total
                        : 0;
            }
            int idle = 0;
            for (int milli : remainingCapacity.milli) {
                idle += milli == 1000 ? 1 : 0;
            }
            int places = idle / gpus;
            return milliCpu == 0
                    ? places
                    : (int) Math.min(places, remainingCapacity.milliCpu / milliCpu);
        }
    }

    private final List<Place> places = new ArrayList<>();
    private final double perTask;
    private final double[] prices;
    private final long[] there;
    private long free;
    private long[] versions = new long[0];
    private int[] frees = new int[0];
    private int[] @Nullable [] counts = new int[0] @Nullable [];

    ScarcityPrice(TypicalWorkload typicalWorkload, List<GpuModel> models) {
        double sum = 0;
        for (TypicalWorkload.Kind kind : typicalWorkload.all()) {
            sum += kind.part() * kind.need().gpus() * kind.need().milli();
        }
        perTask = sum;
        addSideBySide(typicalWorkload);
        addModels(typicalWorkload, models);
        prices = new double[places.size()];
        there = new long[places.size()];
    }

    private void addSideBySide(TypicalWorkload typicalWorkload) {
        var seen = new LinkedHashSet<List<Long>>();
        for (TypicalWorkload.Kind kind : typicalWorkload.all()) {
            Need need = kind.need();
            if (need.gpus() > 1 && seen.add(List.of((long) need.gpus(), need.milliCpu()))) {
                double mean = 0;
                double square = 0;
                for (TypicalWorkload.Kind other : typicalWorkload.all()) {
                    Need larger = other.need();
                    if (larger.gpus() >= need.gpus() && larger.milliCpu() >= need.milliCpu()) {
                        int used = larger.gpus() / need.gpus();
                        mean += other.part() * used;
                        square += other.part() * used * used;
                    }
                }
                places.add(
                        new Place(
                                need.gpus(), need.milliCpu(), new LinkedHashSet<>(), mean, square));
            }
        }
    }

    private void addModels(TypicalWorkload typicalWorkload, List<GpuModel> models) {
        var seen = new LinkedHashSet<Set<GpuModel>>();
        for (TypicalWorkload.Kind kind : typicalWorkload.all()) {
            Need need = kind.need();
            Set<GpuModel> accepted = accepted(need, models);
            if (need.gpus() > 0 && !need.models().isEmpty() && seen.add(accepted)) {
                double mean = 0;
                double square = 0;
                for (TypicalWorkload.Kind other : typicalWorkload.all()) {
                    Need narrower = other.need();
                    if (narrower.gpus() > 0
                            && !narrower.models().isEmpty()
                            && accepted.containsAll(accepted(narrower, models))) {
                        double used = narrower.gpus() * narrower.milli();
                        mean += other.part() * used;
                        square += other.part() * used * used;
                    }
                }
                places.add(new Place(0, 0, accepted, mean, square));
            }
        }
    }

    private static Set<GpuModel> accepted(Need need, List<GpuModel> models) {
        var accepted = new LinkedHashSet<GpuModel>();
        for (GpuModel model : models) {
            if (need.accepts(model)) {
                accepted.add(model);
            }
        }
        return accepted;
    }

    /// Updates prices by what changed on the nodes since the last call.
    void look(Iterable<? extends NodeView> nodes) {
        for (NodeView node : nodes) {
            int at = node.index();
            if (at >= versions.length) {
                int length = Math.max(at + 1, versions.length * 2);
                versions = Arrays.copyOf(versions, length);
                frees = Arrays.copyOf(frees, length);
                counts = Arrays.copyOf(counts, length);
            }
            if (versions[at] != node.version() + 1 || node.isClaimed()) {
                versions[at] = node.version() + 1;
                count(at, node);
            }
        }
        double tasks = perTask > 0 ? (double) free / perTask : 0;
        for (int i = 0; i < prices.length; i++) {
            Place place = places.get(i);
            double deviation = StrictMath.sqrt(tasks * place.square);
            double lost = place.gpus == 0 ? 1 : place.gpus * 1000.0;
            prices[i] =
                    deviation > 1e-9
                            ? lost
                                    * NormalDistribution.atLeast(
                                            (double) there[i], tasks * place.mean, deviation)
                            : 0;
        }
    }

    private void count(int at, NodeView node) {
        int @Nullable [] before = counts[at];
        var now = new int[prices.length];
        RemainingCapacity remainingCapacity = RemainingCapacity.of(node);
        boolean open = node.status().open();
        for (int i = 0; i < now.length; i++) {
            now[i] = open ? places.get(i).on(remainingCapacity) : 0;
            there[i] += now[i] - (before == null ? 0 : before[i]);
        }
        counts[at] = now;
        free += (open ? remainingCapacity.total : 0) - frees[at];
        frees[at] = open ? remainingCapacity.total : 0;
    }

    /// The places that a node loses when it has only `after` left, as pairs of place and number.
    int[] lost(NodeView node, RemainingCapacity after) {
        int[] before = Objects.requireNonNull(counts[node.index()]);
        var lost = new int[prices.length * 2];
        int size = 0;
        for (int i = 0; i < prices.length; i++) {
            int gone = before[i] - places.get(i).on(after);
            if (gone != 0) {
                lost[size++] = i;
                lost[size++] = gone;
            }
        }
        return Arrays.copyOf(lost, size);
    }

    /// The cost of losing them at present prices.
    double price(int[] lost) {
        double sum = 0;
        for (int i = 0; i < lost.length; i += 2) {
            sum += prices[lost[i]] * lost[i + 1];
        }
        return sum;
    }
}
