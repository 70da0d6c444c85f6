package io.gpusched.sim.scenario;

import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.TenantId;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;

/// Jobs drawn by chance: a stream of arrivals whose sizes, owners and priorities come from weighted
/// choices.
///
/// @param count how many jobs
/// @param arrivals when they come
/// @param gpus weighted numbers of GPUs; more than `gpusPerTask` become a gang
/// @param runtimeDistribution how long they run
/// @param limitFactor time limits are the true running time times this, rounded up to minutes; 0
///        for none
/// @param fails the share of jobs that exit with an error
public record GeneratedWorkload(
        int count,
        Duration from,
        Arrivals arrivals,
        SequencedMap<TenantId, Double> tenants,
        SequencedMap<Integer, Double> gpus,
        int gpusPerTask,
        SequencedMap<Integer, Double> priorities,
        List<GpuModel> models,
        int coresPerGpu,
        long memoryMiBPerGpu,
        RuntimeDistribution runtimeDistribution,
        double limitFactor,
        double fails,
        double checkpoints)
        implements GeneratedJobs {
    @Override
    public GeneratedWorkload withCount(int other) {
        return new GeneratedWorkload(
                other,
                from,
                arrivals,
                tenants,
                gpus,
                gpusPerTask,
                priorities,
                models,
                coresPerGpu,
                memoryMiBPerGpu,
                runtimeDistribution,
                limitFactor,
                fails,
                checkpoints);
    }

    @Override
    public List<Arrival> draw(long seed, int number) {
        SeededRandom seededRandom = SeededRandom.of(seed, "workload", number);
        var drawn = new ArrayList<Arrival>();
        Arrivals.Times times = arrivals.from(from);
        for (int i = 0; i < count; i++) {
            drawn.add(drawOne(seededRandom, times.next(seededRandom)));
        }
        return drawn;
    }

    private Arrival drawOne(SeededRandom seededRandom, Duration at) {
        TenantId tenant = seededRandom.pick(tenants);
        int wanted = seededRandom.pick(gpus);
        int priority = seededRandom.pick(priorities);
        Duration lasts = runtimeDistribution.draw(seededRandom);
        int exit = seededRandom.chance(fails) ? 1 : 0;
        boolean saves = seededRandom.chance(checkpoints);
        int tasks = Math.max(1, Math.ceilDiv(wanted, gpusPerTask));
        int each = Math.ceilDiv(wanted, tasks);
        var spec =
                JobSpec.builder(tenant, List.of(Role.of(shape(each), tasks)))
                        .name("drawn")
                        .priority(priority)
                        .kind("drawn-" + wanted)
                        .limit(limit(lasts))
                        .onLoss(new Interruption(Duration.ofSeconds(30), saves, true))
                        .build();
        return new Arrival(at, spec, false, new HiddenTruth(lasts, exit, HiddenTruth.STOPS));
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
