package io.gpusched.sim.scenario;

import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.TenantId;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;

/// Jobs drawn by chance: a Poisson stream of arrivals whose sizes, owners and priorities come from
/// weighted choices, and whose running times scatter around a median.
///
/// @param count how many jobs
/// @param gap the mean time between two arrivals
/// @param gpus weighted numbers of GPUs; more than `gpusPerTask` become a gang
/// @param runs the median running time; `spread` is the factor within which two thirds of them lie
/// @param limitFactor time limits are the true running time times this, rounded up to minutes; 0
///        for none
/// @param fails the share of jobs that exit with an error
public record Workload(
        int count,
        Duration from,
        Duration gap,
        SequencedMap<TenantId, Double> tenants,
        SequencedMap<Integer, Double> gpus,
        int gpusPerTask,
        SequencedMap<Integer, Double> priorities,
        List<GpuModel> models,
        int coresPerGpu,
        long memoryMiBPerGpu,
        Duration runs,
        double spread,
        double limitFactor,
        double fails,
        double checkpoints) {
    public Workload withCount(int other) {
        return new Workload(
                other,
                from,
                gap,
                tenants,
                gpus,
                gpusPerTask,
                priorities,
                models,
                coresPerGpu,
                memoryMiBPerGpu,
                runs,
                spread,
                limitFactor,
                fails,
                checkpoints);
    }

    List<Arrival> draw(Dice dice) {
        var arrivals = new ArrayList<Arrival>();
        Duration at = from;
        for (int i = 0; i < count; i++) {
            at = at.plus(dice.exponential(gap));
            arrivals.add(drawOne(dice, at));
        }
        return arrivals;
    }

    private Arrival drawOne(Dice dice, Duration at) {
        TenantId tenant = dice.pick(tenants);
        int wanted = dice.pick(gpus);
        int priority = dice.pick(priorities);
        Duration lasts = dice.logNormal(runs, spread).plusSeconds(1);
        int exit = dice.chance(fails) ? 1 : 0;
        boolean saves = dice.chance(checkpoints);
        int tasks = Math.max(1, Math.ceilDiv(wanted, gpusPerTask));
        int each = Math.ceilDiv(wanted, tasks);
        var spec =
                new JobSpec(
                        "drawn",
                        tenant,
                        priority,
                        "drawn-" + wanted,
                        List.of(Role.of(shape(each), tasks)),
                        List.of(),
                        limit(lasts),
                        new Interruption(Duration.ofSeconds(30), saves, true),
                        Payload.NOTHING,
                        Labels.NONE);
        return new Arrival(at, spec, false, new Truth(lasts, exit, Truth.STOPS));
    }

    private Shape shape(int each) {
        return new Shape(
                GpuRequest.whole(each, 0),
                Resources.cores((long) coresPerGpu * Math.max(1, each), memoryMiBPerGpu * each),
                models,
                Labels.NONE,
                List.of());
    }

    private Duration limit(Duration lasts) {
        if (limitFactor == 0) {
            return Duration.ZERO;
        }
        long seconds = (long) Math.ceil(lasts.toSeconds() * limitFactor);
        return Duration.ofMinutes(Math.ceilDiv(seconds, 60L) + 1);
    }
}
