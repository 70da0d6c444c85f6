package io.gpusched.rl.cluster;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuDataSheet;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.MigGpuModel;
import io.gpusched.core.model.MigProfile;
import io.gpusched.core.model.MigSlot;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterState;
import io.gpusched.sim.scenario.Arrival;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// Adds up what an episode costs. It knows the true runtimes; the player sees costs only.
final class CostMeter {
    /// A run counts as at least this long in a slowdown.
    private static final double SHORTEST = 10;

    private final Objective objective;
    private final double jobs;
    private final double meanSeconds;
    private final double busySeconds;
    private final double fullWatts;
    private final Map<TenantId, Double> waitingGpus = new TreeMap<>();

    /// What the GPUs of each run use above their idle power.
    private final Map<JobId, Double> wattsOf = new TreeMap<>();

    private double waiting;
    private double running;
    private double slowing;
    private double watts;

    CostMeter(Objective objective, List<Arrival> arrivals, List<Node> nodes) {
        this.objective = objective;
        this.jobs = Math.max(1, arrivals.size());
        double seconds = 0;
        double work = 0;
        for (Arrival arrival : arrivals) {
            seconds += seconds(arrival);
            work += seconds(arrival) * size(arrival);
            waitingGpus.putIfAbsent(arrival.spec().tenant(), 0.0);
        }
        this.meanSeconds = Math.max(1, seconds / jobs);
        double capacity = 0;
        double full = 0;
        for (Node node : nodes) {
            capacity += node.gpus().isEmpty() ? node.host().milliCpu() / 1e3 : node.gpus().size();
            for (Gpu gpu : node.gpus()) {
                full += watts(gpu, 1);
                watts += watts(gpu, 0);
            }
        }
        this.busySeconds = Math.max(1, work / Math.max(1, capacity));
        this.fullWatts = Math.max(1, full);
    }

    private static double watts(Gpu gpu, double load) {
        return GpuDataSheet.of(gpu.model().family()).watts(load, Heat.COOL);
    }

    static double seconds(Arrival arrival) {
        return arrival.hiddenTruth().runs().toMillis() / 1e3;
    }

    private static double size(Arrival arrival) {
        long milli = arrival.spec().milliGpus();
        return (milli > 0 ? milli : arrival.spec().host().milliCpu()) / 1e3;
    }

    void arrives(Arrival arrival) {
        queue(arrival, 1);
    }

    /// A waiting job begins to run.
    void begins(Arrival arrival, Job job, ClusterState state) {
        queue(arrival, -1);
        running++;
        double above = wattsAboveIdle(job, state);
        wattsOf.put(job.id(), above);
        watts += above;
    }

    void ends(JobId job) {
        running--;
        watts -= wattsOf.getOrDefault(job, 0.0);
        wattsOf.remove(job);
    }

    private void queue(Arrival arrival, int sign) {
        waiting += sign;
        slowing += sign / Math.max(SHORTEST, seconds(arrival));
        waitingGpus.merge(arrival.spec().tenant(), sign * size(arrival), Double::sum);
    }

    /// What the GPUs of the run use above their idle power; of a shared GPU, the part that the run
    /// has.
    private static double wattsAboveIdle(Job job, ClusterState state) {
        double sum = 0;
        for (Slot slot : Objects.requireNonNull(job.phase().run()).on().slots()) {
            NodeView node = Objects.requireNonNull(state.nodes().find(slot.node()));
            for (long rest = slot.grant().mask(); rest != 0; rest &= rest - 1) {
                int number = Long.numberOfTrailingZeros(rest);
                Gpu gpu = node.facts().gpus().get(number);
                sum += (watts(gpu, 1) - watts(gpu, 0)) * part(slot.grant(), number);
            }
        }
        return sum;
    }

    /// The part of a GPU that a task holds.
    private static double part(Grant grant, int gpu) {
        if (grant instanceof Grant.Shares shares) {
            return shares.milli() / 1e3;
        }
        if (grant instanceof Grant.Slices slices) {
            int milli = 0;
            for (MigSlot slot : slices.at()) {
                MigProfile profile = MigGpuModel.anyNamed(slot.profile());
                milli += slot.gpu() == gpu && profile != null ? profile.milli() : 0;
            }
            return milli / 1e3;
        }
        return 1;
    }

    /// What these seconds cost as things are.
    double cost(double seconds) {
        double cost = objective.weight(Objective.Goal.WAIT) * waiting / jobs / meanSeconds;
        cost += objective.weight(Objective.Goal.SLOWDOWN) * slowing / jobs;
        cost +=
                objective.weight(Objective.Goal.COMPLETION)
                        * (waiting + running)
                        / jobs
                        / meanSeconds;
        cost += objective.weight(Objective.Goal.FAIRNESS) * unequal() / busySeconds;
        cost += objective.weight(Objective.Goal.ENERGY) * watts / fullWatts / busySeconds;
        return cost * seconds;
    }

    /// What it costs that jobs have not ended: as if all of them waited for as long as the cluster
    /// needs for all work.
    double costOfRest(int unfinished) {
        double sum = 0;
        for (Objective.Goal goal : Objective.Goal.values()) {
            sum += objective.weight(goal);
        }
        return sum * unfinished / jobs * Math.max(1, busySeconds / meanSeconds);
    }

    private double unequal() {
        double sum = 0;
        double squares = 0;
        for (double gpus : waitingGpus.values()) {
            sum += gpus;
            squares += gpus * gpus;
        }
        return squares <= 0 ? 0 : 1 - sum * sum / (waitingGpus.size() * squares);
    }
}
