package io.gpusched.lab.fgd;

import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Shape;
import io.gpusched.core.state.TypicalWorkload;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;

/// The experiment once more, written as plainly as its description: every node is looked at for
/// every pod, nothing is remembered.
final class PlainRun {
    private final FgdTrace fgdTrace;
    private final String policy;
    private final int[][] left;
    private final long[] cpu;
    private final long[] memory;
    private final BitSet[] kinds;

    PlainRun(FgdTrace fgdTrace, String policy) {
        this.fgdTrace = fgdTrace;
        this.policy = policy;
        int n = fgdTrace.machines().size();
        left = new int[n][];
        cpu = new long[n];
        memory = new long[n];
        kinds = new BitSet[n];
        for (int i = 0; i < n; i++) {
            var machine = fgdTrace.machines().get(i);
            left[i] = new int[machine.gpus().size()];
            Arrays.fill(left[i], 1000);
            cpu[i] = machine.host().milliCpu();
            memory[i] = machine.host().memoryMiB();
            kinds[i] = new BitSet();
        }
    }

    AllocationCurve run(int seed) {
        int[] rank = Objects.requireNonNull(fgdTrace.ranks().get(seed));
        var allocationCurve = new AllocationCurve();
        double all = fgdTrace.gpus() * 1000.0;
        long arrived = 0;
        long used = 0;
        for (int row : Objects.requireNonNull(fgdTrace.orders().get(seed))) {
            Shape pod = fgdTrace.pods().get(row);
            arrived += pod.gpus().milliGpus();
            int best = -1;
            int most = Integer.MIN_VALUE;
            for (int i = 0; i < left.length; i++) {
                if (fits(i, pod)) {
                    int points = points(i, pod);
                    if (points > most || (points == most && rank[i] < rank[best])) {
                        best = i;
                        most = points;
                    }
                }
            }
            if (best >= 0) {
                place(best, pod);
                used += pod.gpus().milliGpus();
            }
            allocationCurve.add(100 * arrived / all, 100 * used / all);
        }
        return allocationCurve;
    }

    private static int milli(Shape pod) {
        return pod.gpus() instanceof GpuRequest.Share share ? share.milli() : 1000;
    }

    private boolean accepts(int i, Shape pod) {
        return pod.acceptsModel(fgdTrace.machines().get(i).gpus().getFirst().model());
    }

    private boolean fits(int i, Shape pod) {
        int need = pod.gpus().devices();
        long enough = Arrays.stream(left[i]).filter(milli -> milli >= milli(pod)).count();
        return cpu[i] >= pod.host().milliCpu()
                && memory[i] >= pod.host().memoryMiB()
                && (need == 0 || (accepts(i, pod) && enough >= need));
    }

    private int total(int i) {
        return Arrays.stream(left[i]).sum();
    }

    private int points(int i, Shape pod) {
        long rc = pod.host().milliCpu();
        long rg = pod.gpus().milliGpus();
        if (policy.equals("balanced-fit")) {
            return (int)
                    (100
                            * (1
                                    - 0.5 * ((cpu[i] - rc) / 128000.0)
                                    - 0.5 * ((total(i) - rg) / 8000.0)));
        }
        if (policy.equals("dot-product")) {
            double dot = cpu[i] / 128000.0 * (rc / 128000.0) + total(i) / 8000.0 * (rg / 8000.0);
            return (int) (100 * (1 - dot / 2));
        }
        if (policy.equals("fgd")) {
            return gradient(i, pod, gpuFor(i, pod));
        }
        return rg == 0 ? 0 : policy.equals("gpu-packing") ? packing(i, pod) : clustering(i, pod);
    }

    private int packing(int i, Shape pod) {
        int idle = (int) Arrays.stream(left[i]).filter(milli -> milli == 1000).count();
        if (idle == left[i].length) {
            return Math.max(33 - idle, idle);
        }
        int[] taken =
                Arrays.stream(left[i])
                        .filter(milli -> milli >= milli(pod))
                        .sorted()
                        .limit(pod.gpus().devices())
                        .toArray();
        int broken = (int) Arrays.stream(taken).filter(milli -> milli == 1000).count();
        int sum = Arrays.stream(taken).map(milli -> milli * 100 / 1000).sum();
        return broken > 0 ? Math.max(50 - broken, 33) : Math.max(100 - sum / 10, 50);
    }

    private int clustering(int i, Shape pod) {
        int base = 25 * (8000 - total(i)) / 8000;
        if (kinds[i].get(kind(pod))) {
            return kinds[i].cardinality() == 1 ? base + 75 : base + 50;
        }
        return kinds[i].isEmpty() ? base + 25 : base;
    }

    private static int kind(Shape pod) {
        return pod.gpus() instanceof GpuRequest.Share ? 0 : pod.gpus().devices();
    }

    private int gradient(int i, Shape pod, int gpu) {
        double before = fragments(i, left[i], cpu[i]);
        int[] after = taken(i, pod, gpu);
        double later = fragments(i, after, cpu[i] - pod.host().milliCpu());
        return (int) (100 * (1 / (1 + Math.exp(-(before - later) / 1000))));
    }

    private int[] taken(int i, Shape pod, int gpu) {
        int[] after = left[i].clone();
        if (pod.gpus() instanceof GpuRequest.Share share) {
            after[gpu] -= share.milli();
        } else {
            int need = pod.gpus().devices();
            for (int g = 0; g < after.length && need > 0; g++) {
                if (after[g] == 1000) {
                    after[g] = 0;
                    need--;
                }
            }
        }
        return after;
    }

    private double fragments(int i, int[] milli, long cores) {
        int total = Arrays.stream(milli).sum();
        var reasons = new double[6];
        for (TypicalWorkload.Kind kind : fgdTrace.typicalWorkload().kinds()) {
            TypicalWorkload.Need need = kind.need();
            boolean enoughCpu = cores >= need.milliCpu();
            if (need.gpus() == 0) {
                reasons[enoughCpu ? 3 : 4] += kind.part() * total;
            } else if (!need.accepts(fgdTrace.machines().get(i).gpus().getFirst().model())) {
                reasons[5] += kind.part() * total;
            } else {
                long usable = Arrays.stream(milli).filter(m -> m >= need.milli()).count();
                int rest = Arrays.stream(milli).filter(m -> m < need.milli()).sum();
                boolean enough = usable >= need.gpus();
                int reason = enough ? (enoughCpu ? 1 : 2) : (enoughCpu ? 1 : 0);
                reasons[reason] += kind.part() * (enough && enoughCpu ? rest : total);
            }
        }
        double sum = 0;
        for (double reason : reasons) {
            sum += reason;
        }
        return sum;
    }

    private int gpuFor(int i, Shape pod) {
        int best = -1;
        int most = -1;
        for (int g = 0; g < left[i].length && pod.gpus() instanceof GpuRequest.Share; g++) {
            if (left[i][g] >= milli(pod)) {
                int points = policy.equals("fgd") ? gradient(i, pod, g) : 100_000 - left[i][g];
                if (points > most) {
                    most = points;
                    best = g;
                }
            }
        }
        return best;
    }

    private void place(int i, Shape pod) {
        left[i] = taken(i, pod, gpuFor(i, pod));
        cpu[i] -= pod.host().milliCpu();
        memory[i] -= pod.host().memoryMiB();
        if (pod.gpus().devices() > 0) {
            kinds[i].set(kind(pod));
        }
    }
}
