package io.gpusched.core.model;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/// What the user requested. It never changes.
///
/// @param kind jobs of one kind are expected to behave alike; learning groups by it
/// @param limit the longest a run may take; zero means no limit
/// @param runtimeExpectation how long it was expected to run when it was submitted
/// @param memoryPerGpu whether quotas count its GPU memory for every GPU; otherwise once per job.
///        The setting at submission decides, so that a changed setting does not recount any job
/// @param replica which replica of which pool the job is; null for a batch job
/// @param deadline when it must be finished; null for no deadline
/// @param carbon whether it may wait for clean power. A cluster-wide rule is filled in at
///        submission, so that a changed setting does not hold back any earlier job
public record JobSpec(
        String name,
        TenantId tenant,
        int priority,
        String kind,
        List<Role> roles,
        List<Proximity> near,
        Duration limit,
        Interruption onLoss,
        Payload payload,
        Labels labels,
        RuntimeExpectation runtimeExpectation,
        boolean memoryPerGpu,
        @Nullable Replica replica,
        @Nullable JobDeadline deadline,
        CarbonPreference carbon) {
    /// How long a replica is planned to run: no plan waits for its end.
    public static final Duration WITHOUT_END = Duration.ofDays(36_500);

    public JobSpec {
        roles = List.copyOf(roles);
        near = List.copyOf(near);
        Check.that(!roles.isEmpty(), "a job has at least one role");
        Check.that(!limit.isNegative(), "a time limit is not negative, found %s", limit);
    }

    /// A job whose GPU memory counts once in quotas.
    public static Builder builder(TenantId tenant, List<Role> roles) {
        return new Builder(tenant, roles);
    }

    /// A job without a runtime expectation.
    private Builder toBuilder() {
        return new Builder(tenant, roles)
                .name(name)
                .priority(priority)
                .kind(kind)
                .near(near)
                .limit(limit)
                .onLoss(onLoss)
                .payload(payload)
                .labels(labels)
                .runtimeExpectation(runtimeExpectation)
                .memoryPerGpu(memoryPerGpu)
                .replica(replica)
                .deadline(deadline)
                .carbon(carbon);
    }

    /// The same with other, or shared, roles.
    public JobSpec withRoles(List<Role> others) {
        return toBuilder().roles(others).build();
    }

    /// The same with other proximity requests.
    public JobSpec withNear(List<Proximity> others) {
        return toBuilder().near(others).build();
    }

    public JobSpec withLabels(Labels others) {
        return toBuilder().labels(others).build();
    }

    public JobSpec withLimit(Duration other) {
        return toBuilder().limit(other).build();
    }

    /// The same, with GPU memory counted for every GPU in quotas.
    public JobSpec countingMemoryPerGpu() {
        return toBuilder().memoryPerGpu(true).build();
    }

    /// The same, kept off these nodes.
    JobSpec avoiding(List<Avoidance> nodes) {
        return withRoles(roles.stream().map(role -> role.avoiding(nodes)).toList());
    }

    /// The same, on this capacity.
    public JobSpec on(CapacityRule capacity) {
        return withRoles(roles.stream().map(role -> role.on(capacity)).toList());
    }

    /// The same as it was requested: on any capacity and on any node.
    public JobSpec asRequested() {
        return on(CapacityRule.ANY).avoiding(List.of());
    }

    /// On which capacity it may run now.
    public CapacityRule capacity() {
        return roles.getFirst().shape().capacity();
    }

    /// The same with another payload.
    public JobSpec withPayload(Payload other) {
        return toBuilder().payload(other).build();
    }

    /// The same with this runtime expectation.
    public JobSpec expecting(RuntimeExpectation now) {
        return toBuilder().runtimeExpectation(now).build();
    }

    /// The same with this wish for clean power.
    public JobSpec withCarbon(CarbonPreference other) {
        return carbon.equals(other) ? this : toBuilder().carbon(other).build();
    }

    /// The same as a replica of a pool.
    public JobSpec as(String newName, Replica one) {
        return toBuilder().name(newName).replica(one).build();
    }

    /// Whether it runs until it is stopped, as replicas of pools do.
    public boolean isReplica() {
        return replica != null;
    }

    /// How long a run is planned to take: the expected time, at most the limit; the limit where
    /// nothing is expected; `assumed` where there is neither. A replica never ends by itself.
    public Duration planned(Duration assumed) {
        if (replica != null) {
            return WITHOUT_END;
        }
        if (!runtimeExpectation.isKnown()) {
            return limit.isZero() ? assumed : limit;
        }
        return limit.isZero() || runtimeExpectation.most().compareTo(limit) < 0
                ? runtimeExpectation.most()
                : limit;
    }

    /// How much run time a job with a deadline needs, without starts; zero if nothing tells.
    public Duration work() {
        return deadline == null || deadline.work().isZero()
                ? planned(Duration.ZERO)
                : deadline.work();
    }

    /// How many tasks the job starts with.
    public int tasks() {
        int tasks = 0;
        for (Role role : roles) {
            tasks += role.min();
        }
        return tasks;
    }

    /// Whether its tasks need a rendezvous: it has several, or was requested as a gang.
    public boolean isGang() {
        return roles.size() > 1 || roles.getFirst().meets();
    }

    /// GPUs of all tasks together, in thousandths.
    public long milliGpus() {
        long sum = 0;
        for (Role role : roles) {
            sum += role.shape().gpus().milliGpus() * role.min();
        }
        return sum;
    }

    /// Cores and memory of all tasks together.
    public Resources host() {
        Resources sum = Resources.NONE;
        for (Role role : roles) {
            sum = sum.plus(role.shape().host().times(role.min()));
        }
        return sum;
    }

    /// GPU memory as quotas count it: the largest request of any role, once per job; or the sum
    /// over all GPUs of all tasks.
    public long quotaGpuMemoryMiB() {
        if (!memoryPerGpu) {
            return gpuMemoryMiB();
        }
        long sum = 0;
        for (Role role : roles) {
            GpuRequest gpus = role.shape().gpus();
            sum += (long) gpus.memoryMiBEach() * gpus.devices() * role.min();
        }
        return sum;
    }

    /// GPU memory requested on each GPU, the largest of any role.
    public long gpuMemoryMiB() {
        long most = 0;
        for (Role role : roles) {
            most = Math.max(most, role.shape().gpus().memoryMiBEach());
        }
        return most;
    }

    /// Collects what a job asks for, each part by its name.
    public static final class Builder {
        private String name = "job";
        private final TenantId tenant;
        private int priority;
        private String kind = "";
        private List<Role> roles;
        private List<Proximity> near = List.of();
        private Duration limit = Duration.ZERO;
        private Interruption onLoss = Interruption.DEFAULT;
        private Payload payload = Payload.NOTHING;
        private Labels labels = Labels.NONE;
        private RuntimeExpectation runtimeExpectation = RuntimeExpectation.NOTHING;
        private boolean memoryPerGpu;
        private @Nullable Replica replica;
        private @Nullable JobDeadline deadline;
        private CarbonPreference carbon = CarbonPreference.NONE;

        private Builder(TenantId tenant, List<Role> roles) {
            this.tenant = tenant;
            this.roles = roles;
        }

        public Builder name(String given) {
            name = given;
            return this;
        }

        public Builder priority(int given) {
            priority = given;
            return this;
        }

        public Builder kind(String given) {
            kind = given;
            return this;
        }

        Builder roles(List<Role> given) {
            roles = given;
            return this;
        }

        public Builder near(List<Proximity> given) {
            near = given;
            return this;
        }

        public Builder limit(Duration given) {
            limit = given;
            return this;
        }

        public Builder onLoss(Interruption given) {
            onLoss = given;
            return this;
        }

        public Builder payload(Payload given) {
            payload = given;
            return this;
        }

        public Builder labels(Labels given) {
            labels = given;
            return this;
        }

        public Builder runtimeExpectation(RuntimeExpectation given) {
            runtimeExpectation = given;
            return this;
        }

        public Builder memoryPerGpu(boolean given) {
            memoryPerGpu = given;
            return this;
        }

        public Builder replica(@Nullable Replica given) {
            replica = given;
            return this;
        }

        public Builder deadline(@Nullable JobDeadline given) {
            deadline = given;
            return this;
        }

        public Builder carbon(CarbonPreference given) {
            carbon = given;
            return this;
        }

        public JobSpec build() {
            return new JobSpec(
                    name,
                    tenant,
                    priority,
                    kind,
                    roles,
                    near,
                    limit,
                    onLoss,
                    payload,
                    labels,
                    runtimeExpectation,
                    memoryPerGpu,
                    replica,
                    deadline,
                    carbon);
        }
    }
}
