package io.gpusched.core.state;

import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Shape;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// The typical requests of the workload: the kinds of tasks that make up nearly all of it, and
/// their frequencies. Free capacity that none of them could use is a fragment.
///
/// @param kinds the most frequent first, without the rare ones
/// @param all the same with the rare ones
/// @param version changes whenever the kinds do
public record TypicalWorkload(List<Kind> kinds, List<Kind> all, long version) {
    /// The rarest kinds are left out once this fraction of all tasks is covered.
    private static final double COVERED = 0.95;

    /// Bounds the work of rules that use all kinds, which run on the scheduling thread.
    private static final int MOST_KINDS = 320;

    public static final TypicalWorkload NOTHING = new TypicalWorkload(List.of(), List.of(), 0);

    /// The part of a shape that matters for fragmentation.
    ///
    /// @param milli thousandths requested of each GPU
    public record Need(long milliCpu, int gpus, int milli, List<GpuModel> models) {
        public Need {
            models = List.copyOf(models);
        }

        public static Need of(Shape shape) {
            long cpu = shape.host().milliCpu();
            return switch (shape.gpus()) {
                case GpuRequest.None none -> new Need(cpu, 0, 0, List.of());
                case GpuRequest.Whole whole -> new Need(cpu, whole.count(), 1000, shape.models());
                case GpuRequest.Share share ->
                        new Need(cpu, share.count(), share.milli(), shape.models());
                case GpuRequest.Slice slice ->
                        new Need(cpu, 1, (int) Math.min(1000, slice.milliGpus()), shape.models());
            };
        }

        public boolean accepts(GpuModel model) {
            if (models.isEmpty()) {
                return true;
            }
            for (GpuModel wanted : models) {
                if (wanted.accepts(model)) {
                    return true;
                }
            }
            return false;
        }
    }

    /// @param part fraction of all tasks, from 0 to 1; over all kinds they add up to 1
    public record Kind(Need need, double part) {}

    public TypicalWorkload {
        kinds = List.copyOf(kinds);
        all = List.copyOf(all);
    }

    /// The kinds that cover nearly all of what was counted.
    public static TypicalWorkload of(Map<Need, Long> counts, long version) {
        var sorted = new ArrayList<>(counts.entrySet());
        sorted.sort(
                Comparator.comparingLong((Map.Entry<Need, Long> e) -> -e.getValue())
                        .thenComparing(Map.Entry::getKey, LARGER_FIRST));
        long total = 0;
        for (var entry : sorted) {
            total += entry.getValue();
        }
        int taken = 0;
        long covered = 0;
        while (taken < Math.min(sorted.size(), MOST_KINDS) && covered < COVERED * total) {
            covered += sorted.get(taken++).getValue();
        }
        var kinds = new ArrayList<Kind>(taken);
        double coveredPart = taken == sorted.size() ? 1 : (double) covered / total;
        for (var entry : sorted.subList(0, taken)) {
            double part = (double) entry.getValue() / total;
            kinds.add(new Kind(entry.getKey(), part / coveredPart));
        }
        var all = new ArrayList<Kind>();
        for (var entry : sorted.subList(0, Math.min(sorted.size(), MOST_KINDS))) {
            all.add(new Kind(entry.getKey(), (double) entry.getValue() / total));
        }
        return new TypicalWorkload(kinds, all, version);
    }

    private static final Comparator<Need> LARGER_FIRST =
            Comparator.comparingLong((Need need) -> -need.milliCpu())
                    .thenComparingInt(need -> -need.milli())
                    .thenComparingInt(need -> -need.gpus())
                    .thenComparing(TypicalWorkload::models, Comparator.reverseOrder());

    private static String models(Need need) {
        return String.join("|", need.models().stream().map(GpuModel::toString).toList());
    }
}
