package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A job as the ledger knows it: its specification and its present phase.
///
/// @param spec the request; its shapes also list the nodes that the job avoids now
/// @param priority the current priority, which may change after submission
/// @param totals what happened to it before its present phase
public record Job(
        JobId id, JobSpec spec, int priority, Instant submitted, Phase phase, RunTotals totals) {
    public static Job submitted(JobId id, JobSpec spec, Instant at) {
        return submitted(id, spec, Phase.Waiting.fromSubmission(at));
    }

    /// A job that enters the queue at its submission. Jobs of one instant may share the phase.
    public static Job submitted(JobId id, JobSpec spec, Phase.Waiting first) {
        return new Job(id, spec, spec.priority(), first.since(), first, RunTotals.NONE);
    }

    /// A job that does not enter the queue before it is released.
    public static Job submittedHeld(JobId id, JobSpec spec, Instant at) {
        return new Job(
                id, spec, spec.priority(), at, Phase.Held.fromSubmission(at), RunTotals.NONE);
    }

    /// Whether nothing has happened to it since its submission.
    public boolean isNew() {
        return priority == spec.priority()
                && totals.equals(RunTotals.NONE)
                && (phase.equals(Phase.Waiting.fromSubmission(submitted))
                        || phase.equals(Phase.Held.fromSubmission(submitted)));
    }

    public Job with(Phase next) {
        return new Job(id, spec, priority, submitted, next, totals);
    }

    /// The same job with another payload.
    public Job withPayload(Payload other) {
        return spec.payload().equals(other) ? this : with(spec.withPayload(other));
    }

    public Job withPriority(int next, Instant at) {
        Phase then =
                phase instanceof Phase.Waiting waiting
                        ? new Phase.Waiting(at, waiting.notBefore(), waiting.ranBefore())
                        : phase;
        return new Job(id, spec, next, submitted, then, totals);
    }

    public Job started(Phase.Starting next) {
        return new Job(id, spec, priority, submitted, next, totals.started());
    }

    /// The job, waiting in the queue again from `at` on.
    public Job requeued(Phase.Waiting next, RequeueCause requeueCause, Instant at) {
        Instant started = phase.startedAt();
        Duration ran = started == null ? Duration.ZERO : Duration.between(started, at);
        RunTotals now = totals.requeued(requeueCause, ran);
        return new Job(id, spec, priority, submitted, next, now);
    }

    /// The held job, back in the queue from `at` on.
    public Job released(Instant at) {
        Duration held =
                phase instanceof Phase.Held since
                        ? Duration.between(since.since(), at)
                        : Duration.ZERO;
        var waiting = new Phase.Waiting(at, null, attempts() > 0);
        return new Job(id, spec, priority, submitted, waiting, totals.held(held));
    }

    /// The same job with another specification.
    public Job with(JobSpec other) {
        return new Job(id, other, priority, submitted, phase, totals);
    }

    /// Nodes on which the job is not placed now, because they refused to start it.
    public List<Avoidance> avoids() {
        return spec.roles().getFirst().shape().avoids();
    }

    /// The job, kept off one more node.
    public Job avoiding(Avoidance more) {
        var all = new ArrayList<>(avoids());
        all.removeIf(one -> one.node().equals(more.node()));
        all.add(more);
        return with(spec.avoiding(all));
    }

    /// The job, allowed on the node again.
    public Job avoidingNoLonger(NodeId node) {
        var all = new ArrayList<>(avoids());
        all.removeIf(one -> one.node().equals(node));
        return with(spec.avoiding(all));
    }

    /// When it was submitted, moved later by the time in which it ran or was held: the time since
    /// is how long it has waited, if it waits. It does not change while the job waits.
    public Instant waitsFrom() {
        return submitted.plus(unaged()).plus(ran());
    }

    /// Until when it may be held back for clean power; null if it may not. Only a batch job that
    /// has not run yet may be. Rounded down, so that jobs submitted at nearly the same time share
    /// it.
    public @Nullable Instant mayShiftUntil() {
        CarbonPreference carbon = spec.carbon();
        Duration slack = carbon.slack();
        if (slack == null
                || slack.isZero()
                || spec.isReplica()
                || priority > carbon.upToPriority()
                || attempts() > 0) {
            return null;
        }
        long step = RegionForecast.SHORTEST_SLOT.toSeconds();
        long latest = submitted.plus(slack).getEpochSecond();
        return Instant.ofEpochSecond(latest - Math.floorMod(latest, step));
    }

    /// How often the scheduler stopped a healthy run.
    public int stops() {
        return evictions() + drains();
    }

    public int attempts() {
        return totals.attempts();
    }

    public int evictions() {
        return totals.evictions();
    }

    public int drains() {
        return totals.drains();
    }

    public int losses() {
        return totals.losses();
    }

    public Duration ran() {
        return totals.ran();
    }

    public Duration unaged() {
        return totals.unaged();
    }

    public TenantId tenant() {
        return spec.tenant();
    }

    public boolean waiting() {
        return phase instanceof Phase.Waiting;
    }

    public boolean ended() {
        return phase instanceof Phase.Ended;
    }
}
