package io.gpusched.core.state;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Avoidance;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Digest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.TaskState;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.nodes.NodeLedger;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.queue.QuotaQueue;
import io.gpusched.core.queue.WaitQueue;
import io.gpusched.core.tenants.ClusterShares;
import io.gpusched.core.tenants.TenantLedger;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;

/// The jobs' part of the ledger: what each event about a job changes.
///
/// Ended jobs are kept for a while, bounded by event time and number, and then removed: the journal
/// keeps the history. A job loses its payload at its end: nothing runs it any more, and payloads
/// are the only part of a job that can be large.
final class JobLedger {
    private static final Duration ENDED_KEPT = Duration.ofDays(7);
    private static final int MOST_ENDED = 200_000;

    final JobTable table = new JobTable();
    final WaitQueue waitQueue;
    final QuotaQueue quotaQueue;
    final RunIndex runIndex;
    final Deadlines deadlines;
    final Avoidances avoidances = new Avoidances();
    final IdempotencyKeys idempotencyKeys = new IdempotencyKeys();
    final PayloadSizes payloads = new PayloadSizes();
    final ArrayDeque<JobId> ended = new ArrayDeque<>();
    final RoleInterner roles = new RoleInterner();
    final OpenStarts openStarts;
    private final NodeLedger nodeLedger;
    private final TenantLedger tenantLedger;
    boolean labelsMatterToAll = true;
    long waitingJobs;
    long digest;

    JobLedger(
            NodeLedger nodeLedger,
            AgentLedger agentLedger,
            TenantLedger tenantLedger,
            ClusterShares clusterShares,
            ToLongFunction<Job> order,
            Duration assumed) {
        this.nodeLedger = nodeLedger;
        this.tenantLedger = tenantLedger;
        this.waitQueue = new WaitQueue(table, order, tenantLedger, clusterShares);
        this.quotaQueue = new QuotaQueue(table, tenantLedger, order);
        this.runIndex = new RunIndex(table, assumed);
        this.deadlines = new Deadlines(table, nodeLedger, agentLedger);
        this.openStarts = new OpenStarts(nodeLedger, agentLedger);
    }

    /// All waiting jobs, oldest first; for reordering.
    List<Job> allWaiting() {
        var all = new ArrayList<Job>();
        table.forEachWaiting(all::add);
        return all;
    }

    /// Restores a job from an image.
    void restore(Job kept) {
        // Images of older releases have the payloads of ended jobs.
        Job job = kept.ended() ? kept.withPayload(Payload.NOTHING) : kept;
        put(null, job);
        Run run = job.phase().run();
        if (run != null) {
            run.on().slots().forEach(slot -> nodeLedger.takeBack(slot, job.id()));
            tenantLedger.holds(job);
            runIndex.add(job, mayBePreempted(job));
            deadlines.set(job, Instant.EPOCH);
            openStarts.begin(job);
        } else if (!job.ended()) {
            waitingJobs++;
        }
        if (job.waiting()) {
            enterQueue(job);
        }
        if (!job.ended()) {
            tenantLedger.present(job.tenant());
            job.avoids().forEach(one -> avoidances.add(job.id(), one));
            payloads.add(job);
        }
    }

    void submitted(Event.JobSubmitted e) {
        Check.that(
                e.job().number() == table.last() + 1,
                "%s submitted after number %s",
                e.job(),
                table.last());
        Job job = roles.keep(e.entering());
        put(null, job);
        tenantLedger.submitted(job.tenant());
        payloads.add(job);
        if (!e.key().isEmpty()) {
            idempotencyKeys.put(
                    e.key(), new IdempotencyKeys.Used(e.job(), e.fingerprint(), e.at()));
        }
        waitingJobs++;
        if (job.waiting()) {
            enterQueue(job);
        }
    }

    void updated(Event.JobUpdated e) {
        Job job = existing(e.job());
        Job next = job.withPriority(e.priority(), e.at());
        boolean hasRun = job.phase().run() != null;
        if (job.waiting()) {
            leaveQueue(job);
        } else if (hasRun) {
            runIndex.remove(job);
        }
        put(job, next);
        if (job.waiting()) {
            enterQueue(next);
        } else if (hasRun) {
            runIndex.add(next, mayBePreempted(next));
            // Other jobs may now be able to preempt it, or no longer.
            waitQueue.wakeAll();
        }
    }

    void held(Event.JobHeld e) {
        Job job = existing(e.job());
        leaveQueue(job);
        put(job, job.with(new Phase.Held(e.at(), e.why())));
    }

    void released(Event.JobReleased e) {
        Job job = existing(e.job());
        Job next = job.released(e.at());
        put(job, next);
        enterQueue(next);
    }

    void placed(Event.AttemptPlaced e) {
        Job job = existing(e.attempt().job());
        Check.that(
                job.waiting() && e.attempt().number() == job.attempts() + 1,
                "%s placed while %s",
                e.attempt(),
                job.phase());
        waitQueue.remove(job);
        quotaQueue.remove(job);
        waitingJobs--;
        Run run = Run.placed(e.attempt(), e.on(), e.at());
        Job next = job.started(new Phase.Starting(run, e.at()));
        put(job, next);
        for (Slot slot : e.on().slots()) {
            nodeLedger.take(slot, job.id());
        }
        tenantLedger.charge(job, e.at());
        tenantHoldsMore(job);
        runIndex.add(next, mayBePreempted(next));
        deadlines.set(next, e.at());
        openStarts.begin(next);
    }

    void taskChanged(Event.TaskChanged e) {
        Job job = existing(e.attempt().job());
        openStarts.changed(job, e.rank(), e.state());
        Run run = run(job).with(e.rank(), e.state());
        if (e.state() instanceof TaskState.Running) {
            nodeLedger.started(run.on().slots().get(e.rank()).node());
        }
        put(
                job,
                job.with(
                        switch (job.phase()) {
                            case Phase.Starting p -> p.with(run);
                            case Phase.Running p -> new Phase.Running(run, p.since());
                            case Phase.Stopping p ->
                                    new Phase.Stopping(run, p.since(), p.started(), p.cause());
                            case Phase.Held p -> p;
                            case Phase.Waiting p -> p;
                            case Phase.Ended p -> p;
                        }));
    }

    void running(Event.AttemptRunning e) {
        Job job = existing(e.attempt().job());
        Job next = job.with(new Phase.Running(run(job), e.at()));
        openStarts.end(job);
        put(job, next);
        runIndex.move(job, next);
    }

    void stopping(Event.AttemptStopping e) {
        Job job = existing(e.attempt().job());
        Instant started = job.phase().startedAt();
        Job next = job.with(new Phase.Stopping(run(job), e.at(), started, e.cause()));
        openStarts.end(job);
        put(job, next);
        runIndex.move(job, next);
        deadlines.set(next, e.at());
    }

    void refused(Event.StartRefused e) {
        Job job = existing(e.attempt().job());
        if (e.avoidUntil() != null) {
            var more = new Avoidance(e.node(), e.avoidUntil(), e.reason());
            put(job, job.avoiding(more));
            avoidances.add(job.id(), more);
        }
    }

    void avoidanceEnded(Event.AvoidanceEnded e) {
        Job job = existing(e.job());
        avoidances.forget(job);
        Job next = job.avoidingNoLonger(e.node());
        next.avoids().forEach(one -> avoidances.add(job.id(), one));
        if (job.waiting()) {
            leaveQueue(job);
        }
        put(job, next);
        if (job.waiting()) {
            enterQueue(next);
        }
    }

    void chosen(Event.CapacityChosen e) {
        Job job = existing(e.job());
        Job next = roles.keep(job.with(job.spec().on(e.rule())));
        if (job.waiting()) {
            leaveQueue(job);
        }
        put(job, next);
        if (job.waiting()) {
            enterQueue(next);
        }
    }

    void requeued(Event.JobRequeued e) {
        Job job = existing(e.job());
        returnCapacity(job, e.at());
        boolean evicted = !e.withdrawn() || job.evictions() > 0;
        var waiting = new Phase.Waiting(e.at(), e.notBefore(), evicted);
        Job next = job.requeued(waiting, e.requeueCause(), e.at());
        put(job, next);
        waitingJobs++;
        enterQueue(next);
    }

    void ended(Event.JobEnded e) {
        Job job = existing(e.job());
        Run last = job.phase().run();
        if (last != null) {
            returnCapacity(job, e.at());
        } else {
            waitingJobs--;
            if (job.waiting()) {
                leaveQueue(job);
            }
        }
        payloads.remove(job);
        var over = new Phase.Ended(e.at(), e.outcome(), last, job.phase().startedAt());
        put(job, job.withPayload(Payload.NOTHING).with(over));
        tenantLedger.ended(job.tenant(), e.outcome().result());
        avoidances.forget(job);
        ended.addLast(job.id());
        forgetOldest(e.at());
    }

    void nodeChanged(Event.NodeChanged e) {
        NodeView node = nodeLedger.existing(e.node());
        boolean wasUp = node.status().reach() == NodeStatus.Reach.UP;
        nodeLedger.status(e.node(), e.status());
        if (!wasUp && e.status().reach() == NodeStatus.Reach.UP) {
            node.jobs().forEach(id -> startCountsFrom(e.at(), existing(id)));
        }
    }

    /// Orders can reach agents since `when`, and not before: every starting run has its full start
    /// timeout from then on.
    void startsCountFrom(Instant when) {
        runIndex.byExpectedEnd().forEach(job -> startCountsFrom(when, job));
    }

    private void startCountsFrom(Instant when, Job job) {
        if (job.phase() instanceof Phase.Starting starting) {
            Job next = job.with(starting.countedFrom(when));
            put(job, next);
            deadlines.set(next, when);
        }
    }

    void enterQueue(Job job) {
        waitQueue.add(job);
        quotaQueue.add(job);
    }

    void setApart(Job job) {
        waitQueue.setApart(job);
        quotaQueue.setApart(job);
    }

    /// No jobs are being preempted for the job any more: it is back in the queue, if it still
    /// waits.
    void endApart(JobId id) {
        waitQueue.endApart(id);
        quotaQueue.endApart(id);
        Job job = table.job(id.number());
        if (job != null && job.waiting()) {
            enterQueue(job);
        }
    }

    /// Wakes classes that could get another answer now than when they were last tried.
    void wake(Instant now) {
        boolean labels = nodeLedger.takeLabelsChanged();
        if (nodeLedger.takeFleetChanged() || (labels && labelsMatterToAll)) {
            waitQueue.wakeAll();
        } else if (labels) {
            waitQueue.labelsChanged();
        }
        if (nodeLedger.takeUsableGrew()) {
            waitQueue.wakeHopeless();
        }
        nodeLedger.takeGrowth(this::capacityGrew);
        timePassed(now);
    }

    void timePassed(Instant now) {
        waitQueue.timePassed(now);
        quotaQueue.timePassed(now);
        runIndex.extendOverdue(now);
    }

    /// The job leaves the queue without having started: other jobs may have waited for it to get
    /// its quota first.
    private void leaveQueue(Job job) {
        waitQueue.remove(job);
        if (quotaQueue.remove(job)) {
            tenantHoldsLess(job);
        }
    }

    /// The only place where the capacity of a run is returned.
    private void returnCapacity(Job job, Instant at) {
        Run run = run(job);
        openStarts.end(job);
        for (Slot slot : run.on().slots()) {
            nodeLedger.release(slot, job.id());
        }
        runIndex.remove(job);
        runIndex.ended(job);
        long ran = Duration.between(run.placed(), at).toMillis();
        tenantLedger.refund(job, job.spec().milliGpus() * ran / 1000, at);
        waitQueue.holdsChanged(job.tenant());
        tenantHoldsLess(job);
    }

    /// Wakes classes that could use the node: its idle capacity and, for more important jobs, also
    /// what less important jobs hold there and could be preempted from.
    void capacityGrew(NodeView node) {
        int idle = Long.bitCount(node.idleGpus());
        int within = idle;
        int lowest = Integer.MAX_VALUE;
        for (JobId id : node.jobs()) {
            Job job = existing(id);
            if (mayBePreempted(job)) {
                within += gpusHeld(job, node);
                lowest = Math.min(lowest, job.priority());
            }
        }
        waitQueue.capacityGrew(idle, within, lowest);
        if (tenantLedger.haveGuarantees()) {
            waitQueue.wakeUnderGuarantee();
        }
    }

    /// How many GPUs the job's tasks hold on the node.
    private static int gpusHeld(Job job, NodeView node) {
        Run run = job.phase().run();
        int held = 0;
        if (run != null) {
            for (Slot slot : run.on().slots()) {
                boolean here = slot.node().equals(node.facts().id());
                held += here ? Long.bitCount(slot.grant().mask()) : 0;
            }
        }
        return held;
    }

    /// Wakes jobs that the job's tenant, or one above it, held back.
    void tenantHoldsLess(Job job) {
        for (TenantLedger.Entry t = tenantLedger.entry(job.tenant());
                t != null;
                t = tenantLedger.parent(t)) {
            waitQueue.tenantChanged(t.tenant().id());
        }
        if (waitQueue.isByTenant() && tenantLedger.hasGuarantee(job.tenant())) {
            waitQueue.wakeUnderGuarantee();
        }
    }

    /// The job's tenant takes its turn later from now on. Where it has its guarantee and more,
    /// other tenants may be able to reclaim any of its jobs.
    private void tenantHoldsMore(Job job) {
        waitQueue.holdsChanged(job.tenant());
        if (waitQueue.isByTenant() && tenantLedger.hasGuaranteeAndMore(job.tenant())) {
            waitQueue.lendingGrew();
        }
    }

    private void forgetOldest(Instant now) {
        while (!ended.isEmpty()) {
            Job oldest = existing(ended.getFirst());
            boolean old =
                    oldest.phase() instanceof Phase.Ended over
                            && over.at().plus(ENDED_KEPT).isBefore(now);
            if (!old && ended.size() <= MOST_ENDED) {
                return;
            }
            ended.removeFirst();
            digest ^= Digest.of(oldest);
            table.remove(oldest.id().number());
        }
    }

    private void put(@Nullable Job before, Job after) {
        digest ^= before == null ? 0 : Digest.of(before);
        digest ^= Digest.of(after);
        table.put(after);
    }

    boolean mayBePreempted(Job job) {
        Tenant tenant = tenantLedger.find(job.tenant());
        return tenant != null && tenant.rules().mayBePreempted();
    }

    Job existing(JobId id) {
        Job job = table.job(id.number());
        Check.that(job != null, "%s is not in the ledger", id);
        return Objects.requireNonNull(job);
    }

    private static Run run(Job job) {
        Run run = job.phase().run();
        Check.that(run != null, "%s has no run, it is %s", job.id(), job.phase());
        return Objects.requireNonNull(run);
    }
}
