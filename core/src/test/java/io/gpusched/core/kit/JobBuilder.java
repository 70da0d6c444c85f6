package io.gpusched.core.kit;

import io.gpusched.core.model.Avoidance;
import io.gpusched.core.model.CapacityRule;
import io.gpusched.core.model.CarbonPreference;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.NodeAlternatives;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeRequirement;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.Replica;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.RuntimeExpectation;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.Toleration;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A job in which only what a test cares about needs to be said.
public final class JobBuilder {
    private TenantId tenant = Tenant.DEFAULT;
    private int priority = 100;
    private int gpus = 1;
    private int gpuMemoryMiB;
    private @Nullable GpuRequest request;
    private int tasks = 1;
    private long cores = 1;
    private long memoryMiB;
    private Duration limit = Duration.ofHours(1);
    private RuntimeExpectation runtimeExpectation = RuntimeExpectation.NOTHING;
    private Interruption onLoss = Interruption.DEFAULT;
    private Labels nodes = Labels.NONE;
    private final List<List<NodeRequirement>> requirements = new ArrayList<>();
    private Labels labels = Labels.NONE;
    private String kind = "test";
    private String pool = "";
    private final List<GpuModel> models = new ArrayList<>();
    private final List<Toleration> tolerations = new ArrayList<>();
    private final List<Proximity> near = new ArrayList<>();
    private final List<Avoidance> avoids = new ArrayList<>();
    private @Nullable JobDeadline deadline;
    private CapacityRule capacity = CapacityRule.ANY;

    private CarbonPreference carbon = CarbonPreference.NONE;

    private JobBuilder() {}

    public static JobBuilder aJob() {
        return new JobBuilder();
    }

    /// The same, for tests of what one task asks for.
    public static JobBuilder aShape() {
        return new JobBuilder();
    }

    public JobBuilder of(String name) {
        tenant = new TenantId(name);
        return this;
    }

    public JobBuilder priority(int value) {
        priority = value;
        return this;
    }

    /// GPUs of each task.
    public JobBuilder gpus(int value) {
        gpus = value;
        return this;
    }

    public JobBuilder gpuMemoryMiB(int value) {
        gpuMemoryMiB = value;
        return this;
    }

    /// Exactly this of each task, whatever else is said of GPUs.
    public JobBuilder asking(GpuRequest value) {
        request = value;
        return this;
    }

    public JobBuilder tasks(int value) {
        tasks = value;
        return this;
    }

    public JobBuilder cores(long value) {
        cores = value;
        return this;
    }

    public JobBuilder memoryMiB(long value) {
        memoryMiB = value;
        return this;
    }

    public JobBuilder limit(Duration value) {
        limit = value;
        return this;
    }

    /// What is thought of its runtime.
    public JobBuilder expecting(Duration usual, Duration most) {
        runtimeExpectation = new RuntimeExpectation(usual, most);
        return this;
    }

    public JobBuilder model(String value) {
        models.add(GpuModel.parse(value));
        return this;
    }

    public JobBuilder onNodesWith(String key, String value) {
        nodes = nodes.with(key, value);
        return this;
    }

    /// On nodes that meet all of these, or all of another such list.
    public JobBuilder requiring(NodeRequirement... all) {
        requirements.add(List.of(all));
        return this;
    }

    public JobBuilder label(String key, String value) {
        labels = labels.with(key, value);
        return this;
    }

    /// A replica of this pool.
    public JobBuilder replicaOf(String name) {
        pool = name;
        return this;
    }

    public JobBuilder kind(String value) {
        kind = value;
        return this;
    }

    public JobBuilder tolerating(String key) {
        return tolerating(new Toleration(key, true, "", ""));
    }

    public JobBuilder tolerating(Toleration value) {
        tolerations.add(value);
        return this;
    }

    /// All tasks in one place of the level, if that can be.
    public JobBuilder near(String level) {
        near.add(new Proximity(level, false));
        return this;
    }

    /// All tasks in one place of the level, or none.
    public JobBuilder within(String level) {
        near.add(new Proximity(level, true));
        return this;
    }

    /// It saves its work now and then.
    public JobBuilder saving() {
        onLoss = new Interruption(Duration.ofSeconds(30), true, true);
        return this;
    }

    public JobBuilder grace(Duration value) {
        onLoss = new Interruption(value, false, true);
        return this;
    }

    public JobBuilder neverRequeued() {
        onLoss = new Interruption(Duration.ofSeconds(30), false, false);
        return this;
    }

    /// Finished within this time of its submission, with so much work and such starts.
    public JobBuilder deadline(Duration within, Duration work, Duration restart) {
        deadline = new JobDeadline(null, within, work, restart);
        return this;
    }

    /// The node refused to start the job.
    public JobBuilder avoiding(String node, Instant until, String why) {
        avoids.add(new Avoidance(new NodeId(node), until, why));
        return this;
    }

    /// The longest time for which it may be held back for clean power.
    public JobBuilder slack(Duration value) {
        return carbon(new CarbonPreference(value, 0, List.of(), Integer.MAX_VALUE));
    }

    public JobBuilder carbon(CarbonPreference value) {
        carbon = value;
        return this;
    }

    /// The capacity that was chosen for a job with a deadline.
    public JobBuilder onCapacity(CapacityRule value) {
        capacity = value;
        return this;
    }

    public Shape shape() {
        return new Shape(
                request == null ? GpuRequest.whole(gpus, gpuMemoryMiB) : request,
                Resources.cores(cores, memoryMiB),
                models,
                nodes,
                new NodeAlternatives(requirements),
                tolerations,
                avoids,
                capacity);
    }

    public JobSpec spec() {
        JobSpec spec = plain();
        return pool.isEmpty() ? spec : spec.as(pool + "-0", new Replica(pool, 0));
    }

    private JobSpec plain() {
        return JobSpec.builder(tenant, List.of(Role.of(shape(), tasks)))
                .name("job")
                .priority(priority)
                .kind(kind)
                .near(near)
                .limit(limit)
                .onLoss(onLoss)
                .labels(labels)
                .runtimeExpectation(runtimeExpectation)
                .deadline(deadline)
                .carbon(carbon)
                .build();
    }

    /// The job as it waits since `at`.
    public Job waiting(long number, Instant at) {
        return Job.submitted(new JobId(number), spec(), at);
    }
}
