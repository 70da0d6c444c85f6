package io.gpusched.core.kit;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.MigGpuModel;
import io.gpusched.core.model.MigSlot;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Run;
import io.gpusched.core.model.Slot;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.state.ClusterState;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The ledger of a cluster in which a test says where jobs run and which jobs wait. Nothing is
/// scheduled here: rules are asked about the cluster as it is.
///
///     TestCluster cluster = aCluster("n1: 8×A100, n2: 8×H100");
///     JobId job = cluster.running(aJob().gpus(2), "n1[0-1]");
public final class TestCluster {
    private static final Pattern PLACE = Pattern.compile("([^\\[ ]+)(?:\\[([^]]*)])?");
    private static final Pattern SLICE = Pattern.compile("([0-9]+):(.+)@([0-9]+)");

    private final Engine engine =
            new Engine(
                    Objects.requireNonNull(
                            Policies.named("priority", EngineSettings.DEFAULT.policy())),
                    EngineSettings.DEFAULT);
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private TestCluster() {}

    public static TestCluster aCluster(NodeBuilder... nodes) {
        var cluster = new TestCluster();
        for (NodeBuilder node : nodes) {
            cluster.join(node);
        }
        return cluster;
    }

    /// @param nodes names and GPUs of nodes, `n1: 8×A100, n2: 8×H100`
    public static TestCluster aCluster(String nodes) {
        var cluster = new TestCluster();
        for (String node : nodes.split(",", -1)) {
            cluster.join(NodeBuilder.aNode(node.strip()));
        }
        return cluster;
    }

    /// A cluster of one node on which nothing runs.
    public static TestCluster idle(Node node) {
        var cluster = new TestCluster();
        cluster.apply(new Event.NodeJoined(cluster.now, node));
        return cluster;
    }

    private void join(NodeBuilder node) {
        apply(new Event.NodeJoined(now, node.build()));
        for (NodeBuilder.Resident resident : node.residents()) {
            running(resident.job(), node.id().name() + "[" + resident.gpus() + "]");
        }
        node.changes(now).forEach(this::apply);
    }

    public TestCluster with(TenantBuilder... tenants) {
        for (TenantBuilder tenant : tenants) {
            apply(new Event.TenantPut(now, tenant.build(), "test"));
        }
        return this;
    }

    public void apply(Event event) {
        engine.apply(event);
    }

    public TestCluster pass(Duration time) {
        now = now.plus(time);
        return this;
    }

    /// Submits the job, which waits from now on.
    public JobId waiting(JobBuilder job) {
        JobId id = state().nextJob();
        apply(new Event.JobSubmitted(now, id, job.spec(), "", 0, false, "test"));
        return id;
    }

    /// Submits the job, which runs from now on.
    ///
    /// @param on the places of all tasks, `n1[0-3] n2[0-3]`; see [NodeBuilder#running]
    public JobId running(JobBuilder job, String on) {
        JobId id = waiting(job);
        run(id, on);
        return id;
    }

    /// The waiting job runs from now on.
    public void run(JobId id, String on) {
        Job job = job(id);
        var attempt = new AttemptId(id, job.attempts() + 1, state().term());
        apply(new Event.AttemptPlaced(now, attempt, placement(job, on), "test"));
        apply(new Event.AttemptRunning(now, attempt));
    }

    /// The job is being preempted from now on.
    public void stop(JobId id) {
        AttemptId attempt = Objects.requireNonNull(job(id).phase().run()).id();
        apply(
                new Event.AttemptStopping(
                        now, attempt, new StopCause(StopCause.Kind.PREEMPTED, "test")));
    }

    /// The job was preempted and waits again.
    public void requeue(JobId id) {
        stop(id);
        apply(new Event.JobRequeued(now, id, null, false, "preempted"));
    }

    private Placement placement(Job job, String on) {
        var slots = new ArrayList<Slot>();
        var shape = job.spec().roles().getFirst().shape();
        Matcher place = PLACE.matcher(on);
        while (place.find()) {
            var node = new NodeId(place.group(1));
            String gpus = place.group(2) == null ? "" : place.group(2);
            slots.add(
                    new Slot(
                            node,
                            0,
                            slots.size(),
                            grant(shape.gpus(), gpusOf(node), gpus),
                            shape.host()));
        }
        return new Placement(slots);
    }

    private List<Gpu> gpusOf(NodeId node) {
        return node(node.name()).facts().gpus();
    }

    private static Grant grant(GpuRequest asked, List<Gpu> gpus, String text) {
        return switch (asked) {
            case GpuRequest.None none -> new Grant.None();
            case GpuRequest.Whole whole -> new Grant.Whole(mask(text));
            case GpuRequest.Share share ->
                    new Grant.Shares(
                            mask(text), share.milli(), share.memoryOf(gpus.getFirst().memoryMiB()));
            case GpuRequest.Slice slice -> slices(gpus, text);
        };
    }

    private static Grant slices(List<Gpu> gpus, String text) {
        var slots = new ArrayList<MigSlot>();
        for (String one : text.split(",", -1)) {
            Matcher slice = SLICE.matcher(one);
            if (!slice.matches()) {
                throw new IllegalArgumentException("expected 0:3g.20gb@4, found " + one);
            }
            int gpu = Integer.parseInt(slice.group(1));
            MigGpuModel card = Objects.requireNonNull(MigGpuModel.of(gpus.get(gpu)));
            int size = Objects.requireNonNull(card.profile(slice.group(2))).size();
            slots.add(new MigSlot(gpu, Integer.parseInt(slice.group(3)), size, slice.group(2)));
        }
        return new Grant.Slices(slots);
    }

    /// `0-3,6` as a set of GPUs, one bit each.
    private static long mask(String text) {
        long mask = 0;
        for (String range : text.split(",", -1)) {
            String[] ends = range.split("-", -1);
            int last = Integer.parseInt(ends[ends.length - 1]);
            for (int gpu = Integer.parseInt(ends[0]); gpu <= last; gpu++) {
                mask |= 1L << gpu;
            }
        }
        return mask;
    }

    public Job job(JobId id) {
        return Objects.requireNonNull(state().job(id));
    }

    /// Where the running job's tasks are.
    public Placement placement(JobId id) {
        Run run = Objects.requireNonNull(job(id).phase().run());
        return run.on();
    }

    public NodeView node(String name) {
        return Objects.requireNonNull(state().nodes().find(new NodeId(name)));
    }

    public ClusterState state() {
        return engine.state();
    }

    public Engine engine() {
        return engine;
    }

    public Instant now() {
        return now;
    }
}
