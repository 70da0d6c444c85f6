package io.gpusched.store;

import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Usage;
import io.gpusched.core.state.StateImage;
import io.gpusched.core.tenants.TenantTotals;
import io.gpusched.wire.codec.Snapshot;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.function.Function;

/// Folds events into rows and remembers which rows changed since the last flush.
///
/// Tenants, nodes and jobs that hold capacity stay in memory, whose size depends on the cluster.
/// Waiting and ended jobs are read from the tables when an event needs them.
final class Projection {
    /// The end of a run: outcome and time.
    ///
    /// @param kind why it ended, finer than `state`: see [RunRow]
    record Finished(Run run, Job job, String state, String kind, Instant at, String reason) {}

    record Placed(Run run, Job job) {}

    record JobBatch(long job, long batch) {}

    final TreeMap<TenantId, TenantTableRow> tenants = new TreeMap<>();
    final TreeMap<NodeId, NodeTableRow> nodes = new TreeMap<>();
    final Map<JobId, Job> active = new LinkedHashMap<>();

    final SequencedMap<JobId, Job> changedJobs = new LinkedHashMap<>();
    final SequencedSet<TenantId> changedTenants = new LinkedHashSet<>();
    final SequencedSet<NodeId> changedNodes = new LinkedHashSet<>();
    final SequencedSet<NodeId> reshapedNodes = new LinkedHashSet<>();
    final SequencedSet<JobBatch> jobBatches = new LinkedHashSet<>();
    final List<Placed> placed = new ArrayList<>();
    final List<Finished> finished = new ArrayList<>();
    final List<Event> learned = new ArrayList<>();

    /// This many characters of payload count as one change.
    private static final long PAYLOAD_OF_A_CHANGE = 1024;

    private final Function<JobId, Job> stored;
    private long payload;

    /// @param stored reads a job that was flushed before
    Projection(Function<JobId, Job> stored) {
        this.stored = stored;
    }

    /// Adds a job that holds capacity, as it was read from the tables.
    void resume(Job job) {
        Run run = job.phase().run();
        if (run != null) {
            active.put(job.id(), job);
            charge(job, run, true);
        }
    }

    /// Adds everything from the journal's first snapshot, as changes.
    void begin(Snapshot snapshot) {
        StateImage image = snapshot.image();
        for (var one : image.tenants()) {
            tenants.put(
                    one.tenant().id(),
                    new TenantTableRow(one.tenant(), one.totals(), image.at(), image.at()));
            changedTenants.add(one.tenant().id());
        }
        for (var one : image.nodes()) {
            nodes.put(one.node().id(), NodeTableRow.of(one, image.at(), image.at()));
            changedNodes.add(one.node().id());
            reshapedNodes.add(one.node().id());
        }
        for (Job job : image.jobs()) {
            changedJobs.put(job.id(), job);
            resume(job);
            Run run = job.phase().run();
            if (run != null) {
                placed.add(new Placed(run, job));
            }
        }
        var known = snapshot.learned();
        learned.add(new Event.RetentionChanged(image.at(), known.retention()));
        learned.add(
                new Event.Imported(
                        image.at(), known.pairs(), known.slowdowns(), List.of(), List.of(), ""));
    }

    /// The number of changes since the last flush; large payloads count more.
    long size() {
        return jobBatches.size()
                + changedNodes.size()
                + learned.size()
                + payload / PAYLOAD_OF_A_CHANGE;
    }

    void flushed() {
        payload = 0;
        changedJobs.clear();
        changedTenants.clear();
        changedNodes.clear();
        reshapedNodes.clear();
        jobBatches.clear();
        placed.clear();
        finished.clear();
        learned.clear();
    }

    void apply(Batch batch) {
        if (batch.number() == 1) {
            put(Tenant.unlimited(Tenant.DEFAULT), batch.at()); // There before anything happens.
        }
        batch.facts().forEach(event -> apply(event, batch.number()));
        batch.decided().forEach(event -> apply(event, batch.number()));
    }

    private void apply(Event event, long batch) {
        JobId about = JobFold.about(event);
        if (about != null) {
            jobBatches.add(new JobBatch(about.number(), batch));
            job(event, about);
            return;
        }
        switch (event) {
            case Event.TenantPut e -> put(e.tenant(), e.at());
            case Event.TenantRemoved e -> {
                tenants.remove(e.tenant());
                changedTenants.add(e.tenant());
            }
            case Event.NodeJoined e -> joined(e.node(), e.at());
            case Event.NodeChanged e -> {
                NodeTableRow row = node(e.node(), e.at());
                if (row != null) {
                    row.status = e.status();
                }
            }
            case Event.NodeRemoved e -> {
                nodes.remove(e.node());
                changedNodes.add(e.node());
                reshapedNodes.add(e.node());
            }
            case Event.GpuChanged e -> {
                NodeTableRow row = node(e.node(), e.at());
                if (row != null) {
                    row.conditions[e.gpu()] = e.condition();
                }
            }
            case Event.ForeignChanged e -> {
                NodeTableRow row = node(e.node(), e.at());
                if (row != null) {
                    row.foreign = e.all();
                }
            }
            case Event.Observed e -> learned.add(e);
            case Event.RetentionChanged e -> learned.add(e);
            case Event.Imported e -> learned.add(e);
            case Event.JobSubmitted _, Event.JobUpdated _, Event.JobHeld _ -> {}
            case Event.JobReleased _, Event.JobRequeued _, Event.JobEnded _ -> {}
            case Event.AttemptPlaced _, Event.TaskChanged _, Event.AttemptRunning _ -> {}
            case Event.AttemptStopping _, Event.ClaimMade _, Event.ClaimDropped _ -> {}
            case Event.TaskIdle _, Event.StartRefused _, Event.AvoidanceEnded _ -> {}
            case Event.RefusalConfirmed _ -> {}
            case Event.AgentJoined _, Event.AgentLost _, Event.PoolPut _ -> {}
            case Event.PoolLoadChanged _, Event.MarketChanged _ -> {}
            case Event.PoolRemoved _, Event.PoolHeld _, Event.PoolRecommended _ -> {}
            case Event.PoolScaled _, Event.PoolLapsed _, Event.ReplicaDraining _ -> {}
            case Event.ModelPut _, Event.ModelRemoved _, Event.ModelCached _ -> {}
            case Event.ModelWanted _, Event.ModelUnwanted _ -> {}
            case Event.PoolChoice _, Event.CapacityChosen _, Event.SpotSeen _ -> {}
            case Event.AgentClassPut _, Event.AgentClassRemoved _ -> {}
            case Event.BindingPut _, Event.BindingRemoved _ -> {}
            case Event.ForecastPut _, Event.ForecastRemoved _ -> {}
            case Event.EngineStarted _, Event.PolicyChanged _, Event.Scored _ -> {}
            case Event.LeaseBound _, Event.OrdersDelayed _ -> {}
        }
    }

    private void job(Event event, JobId id) {
        if (event instanceof Event.JobSubmitted e) {
            change(id, e.entering());
            TenantTableRow tenant = tenant(e.spec().tenant(), e.at());
            if (tenant != null) {
                tenant.submitted();
            }
            return;
        }
        Job before = current(id);
        Job after = JobFold.after(event, before);
        change(id, after);
        Run was = before.phase().run();
        Run is = after.phase().run();
        if (is != null) {
            active.put(id, after);
        }
        if (was == null && is != null) {
            charge(after, is, true);
            placed.add(new Placed(is, after));
        } else if (was != null && is == null) {
            active.remove(id);
            charge(before, was, false);
            over(event, was, after);
        }
        if (event instanceof Event.JobEnded e) {
            TenantTableRow tenant = tenant(after.tenant(), e.at());
            if (tenant != null) {
                tenant.ended(e.outcome().result());
            }
        }
    }

    private void change(JobId id, Job job) {
        if (changedJobs.put(id, job) == null) {
            payload += job.spec().payload().size();
        }
    }

    private Job current(JobId id) {
        Job changed = changedJobs.get(id);
        Job held = changed == null ? active.get(id) : changed;
        return held == null ? stored.apply(id) : held;
    }

    private void over(Event event, Run run, Job job) {
        String state = "completed";
        String reason = "";
        if (event instanceof Event.JobRequeued e) {
            state = e.lost() ? "failed" : "preempted";
            reason = e.reason();
        } else if (event instanceof Event.JobEnded e) {
            state =
                    switch (e.outcome().result()) {
                        case COMPLETED, CANCELLED -> "completed";
                        case FAILED -> "failed";
                    };
        }
        finished.add(new Finished(run, job, state, RunRow.endKind(event), event.at(), reason));
        TenantTableRow tenant = tenant(job.tenant(), event.at());
        if (tenant != null) {
            long ran = Duration.between(run.placed(), event.at()).toMillis();
            tenant.used(job.spec().milliGpus() * ran / 1000);
        }
    }

    private void charge(Job job, Run run, boolean take) {
        for (Slot slot : run.on().slots()) {
            NodeTableRow row = nodes.get(slot.node());
            if (row != null) {
                changedNodes.add(slot.node());
                if (take) {
                    row.take(slot, job);
                } else {
                    row.release(slot);
                }
            }
        }
        Usage held = Usage.of(job.spec());
        use(tenants.get(job.tenant()), take ? held : Usage.NONE.minus(held));
    }

    /// Adds to the usage of the tenant and of all its ancestors.
    private void use(@Nullable TenantTableRow lowest, Usage more) {
        for (TenantTableRow row = lowest; row != null; row = parent(row)) {
            row.usage = row.usage.plus(more);
            changedTenants.add(row.tenant.id());
        }
    }

    private @Nullable TenantTableRow parent(TenantTableRow row) {
        TenantId parent = row.tenant.parent();
        return parent == null ? null : tenants.get(parent);
    }

    private void put(Tenant tenant, Instant at) {
        TenantTableRow row = tenant(tenant.id(), at);
        if (row == null) {
            tenants.put(tenant.id(), new TenantTableRow(tenant, TenantTotals.NONE, at, at));
            changedTenants.add(tenant.id());
        } else {
            // Its usage counts for its new ancestors from now on.
            use(parent(row), Usage.NONE.minus(row.usage));
            row.tenant = tenant;
            use(parent(row), row.usage);
        }
    }

    private void joined(Node node, Instant at) {
        reshapedNodes.add(node.id());
        NodeTableRow row = node(node.id(), at);
        if (row == null) {
            nodes.put(node.id(), new NodeTableRow(node, NodeStatus.READY, at, at));
            changedNodes.add(node.id());
            return;
        }
        for (int gpu = node.gpus().size(); gpu < row.conditions.length; gpu++) {
            row.conditions[gpu] = GpuCondition.GOOD;
        }
        row.node = node;
    }

    private @Nullable TenantTableRow tenant(TenantId id, Instant at) {
        TenantTableRow row = tenants.get(id);
        if (row != null) {
            row.updated = at;
            changedTenants.add(id);
        }
        return row;
    }

    private @Nullable NodeTableRow node(NodeId id, Instant at) {
        NodeTableRow row = nodes.get(id);
        if (row != null) {
            row.updated = at;
            changedNodes.add(id);
        }
        return row;
    }
}
