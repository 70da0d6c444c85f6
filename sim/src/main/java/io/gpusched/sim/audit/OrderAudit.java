package io.gpusched.sim.audit;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.wire.codec.SettingsText;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// Tracks received and remaining service of jobs, for policies that preempt by an order instead of
/// by priority.
final class OrderAudit {
    private static final double MOST_GPU_SECONDS = 18_000;

    private static final class Entry {
        private final JobSpec spec;
        private final Instant submitted;
        private Duration ran = Duration.ZERO;
        private @Nullable Instant runs;

        Entry(JobSpec spec, Instant submitted) {
            this.spec = spec;
            this.submitted = submitted;
        }

        Duration had(Instant now) {
            return runs == null ? ran : ran.plus(Duration.between(runs, now));
        }

        /// Whether it has received more service than its queue allows before it is demoted.
        boolean isBehind(Instant now) {
            double milli = spec.milliGpus() > 0 ? spec.milliGpus() : spec.host().milliCpu();
            return had(now).toMillis() / 1e3 * Math.max(1, milli) / 1e3 > MOST_GPU_SECONDS - 1e-3;
        }

        double left(Instant now) {
            Duration all =
                    spec.runtimeExpectation().isKnown()
                            ? spec.runtimeExpectation().usual()
                            : spec.limit();
            if (all.isZero()) {
                return Double.MAX_VALUE;
            }
            Duration done = spec.onLoss().checkpoints() ? had(now) : had(now).minus(ran);
            return Math.max(0, all.minus(done).toMillis());
        }
    }

    private final Map<JobId, Entry> jobs = new LinkedHashMap<>();
    private String configured = "";
    private String chosen = "";

    void hear(Event event) {
        switch (event) {
            case Event.EngineStarted e -> configured = policy(e.fingerprint());
            case Event.PolicyChanged e -> chosen = e.policy();
            case Event.JobSubmitted e -> jobs.put(e.job(), new Entry(e.spec(), e.at()));
            case Event.JobEnded e -> jobs.remove(e.job());
            case Event.AttemptRunning e -> {
                Entry entry = jobs.get(e.attempt().job());
                if (entry != null) {
                    entry.runs = e.at();
                }
            }
            case Event.JobRequeued e -> {
                Entry entry = jobs.get(e.job());
                if (entry != null) {
                    entry.ran = entry.had(e.at());
                    entry.runs = null;
                }
            }
            default -> {}
        }
    }

    /// The policy that a scheduler records when it takes charge.
    private static String policy(String fingerprint) {
        SettingsText.Read read = SettingsText.read(fingerprint);
        return read == null ? fingerprint : read.policy();
    }

    private String policy() {
        return chosen.isEmpty() ? configured : chosen;
    }

    /// Whether the policy preempts by an order.
    boolean decides() {
        return policy().equals("srtf") || policy().equals("las");
    }

    /// Whether the waiting job `one` strictly precedes `other`, which ran until now.
    boolean comesBefore(JobId one, JobId other, Instant now) {
        Entry waits = jobs.get(one);
        Entry runs = jobs.get(other);
        if (waits == null || runs == null) {
            return false;
        }
        if (policy().equals("srtf")) {
            return waits.left(now) < runs.left(now);
        }
        return waits.isBehind(now) == runs.isBehind(now)
                ? waits.submitted.isBefore(runs.submitted)
                : runs.isBehind(now);
    }
}
