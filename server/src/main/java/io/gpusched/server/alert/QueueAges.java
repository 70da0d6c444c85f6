package io.gpusched.server.alert;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.view.View;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/// How long waiting jobs have waited, by tenant. Held jobs, and jobs that must not start yet, do
/// not wait for the scheduler and are left out. One pass over the queue.
public final class QueueAges {
    /// The jobs of one tenant that have waited longer than some time.
    ///
    /// @param jobs how many there are
    /// @param oldest the one that has waited longest
    public record Ages(TenantId tenant, long jobs, Job oldest, Duration longest) {
        Ages and(Job job, Duration wait) {
            return wait.compareTo(longest) > 0
                    ? new Ages(tenant, jobs + 1, job, wait)
                    : new Ages(tenant, jobs + 1, oldest, longest);
        }
    }

    private final View view;
    private final Instant now;
    private final Map<TenantId, Ages> all;

    private QueueAges(View view, Instant now) {
        this.view = view;
        this.now = now;
        this.all = longerThan(Duration.ZERO);
    }

    public static QueueAges of(View view, Instant now) {
        return new QueueAges(view, now);
    }

    /// Tenants with jobs that have waited longer than `least`, by name.
    public Map<TenantId, Ages> longerThan(Duration least) {
        var found = new TreeMap<TenantId, Ages>((a, b) -> a.name().compareTo(b.name()));
        view.jobs()
                .forEachWaiting(
                        job -> {
                            Duration wait = wait(job);
                            if (wait != null && wait.compareTo(least) >= 0) {
                                found.merge(
                                        job.tenant(),
                                        new Ages(job.tenant(), 1, job, wait),
                                        (before, one) -> before.and(job, wait));
                            }
                        });
        return found;
    }

    /// All tenants with waiting jobs.
    public Map<TenantId, Ages> byTenant() {
        return all;
    }

    /// The longest wait of all; zero when no job waits.
    public Duration longest() {
        Duration longest = Duration.ZERO;
        for (Ages ages : all.values()) {
            longest = ages.longest.compareTo(longest) > 0 ? ages.longest : longest;
        }
        return longest;
    }

    private @Nullable Duration wait(Job job) {
        if (!(job.phase() instanceof Phase.Waiting waiting)
                || waiting.notBefore() != null && waiting.notBefore().isAfter(now)) {
            return null;
        }
        Duration wait = Duration.between(job.waitsFrom(), now);
        return wait.isNegative() ? Duration.ZERO : wait;
    }
}
