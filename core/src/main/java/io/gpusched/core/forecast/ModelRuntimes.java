package io.gpusched.core.forecast;

import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.learn.runtime.Profile;
import io.gpusched.core.learn.runtime.RuntimeEstimate;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.Job;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// Draws runtimes from a runtime model. For a job of an unknown kind it draws uniformly up to the
/// job's time limit.
public final class ModelRuntimes implements RuntimeSource {
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private final RuntimeModel model;
    private final Duration assumed;
    private final Instant now;
    private final Map<Profile, RuntimeEstimate> known = new LinkedHashMap<>();

    /// @param assumed the longest runtime of a job of an unknown kind without a time limit
    public ModelRuntimes(RuntimeModel model, Duration assumed, Instant now) {
        this.model = model;
        this.assumed = assumed;
        this.now = now;
    }

    @Override
    public Duration left(Job job, String gpu, Duration ran, double luck) {
        Profile profile = JobProfiles.of(job.spec(), gpu);
        RuntimeEstimate runtimeEstimate =
                known.computeIfAbsent(profile, each -> model.estimate(each, now));
        Duration limit = job.spec().limit();
        double most = (limit.isZero() ? assumed : limit).minus(ran).toMillis() / 1e3;
        double left =
                model.usualGpu(profile.kind()) != null
                        ? runtimeEstimate.remaining(ran.toMillis() / 1e3, luck)
                        : Math.max(60, most) * luck;
        double bounded = limit.isZero() ? left : Math.min(left, Math.max(1, most));
        Duration drawn = Duration.ofMillis((long) (1000 * Math.min(bounded, 1e9)));
        return drawn.compareTo(SHORTEST) < 0 ? SHORTEST : drawn;
    }
}
