package io.gpusched.core.model;

import java.time.Duration;
import java.util.List;

/// What the user requested. It never changes.
///
/// @param kind jobs of one kind are expected to behave alike; learning groups by it
/// @param limit the longest a run may take; zero means no limit
/// @param runtimeExpectation how long it was expected to run when it was submitted
/// @param memoryPerGpu whether quotas count its GPU memory for every GPU; otherwise once per job.
///        The setting at submission decides, so that a changed setting does not recount any job
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
        boolean memoryPerGpu) {
    public JobSpec {
        roles = List.copyOf(roles);
        near = List.copyOf(near);
        Check.that(!roles.isEmpty(), "a job has at least one role");
        Check.that(!limit.isNegative(), "a time limit is not negative, found %s", limit);
    }

    /// A job whose GPU memory counts once in quotas.
    public JobSpec(
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
            RuntimeExpectation runtimeExpectation) {
        this(
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
                false);
    }

    /// A job without a runtime expectation.
    public JobSpec(
            String name,
            TenantId tenant,
            int priority,
            String kind,
            List<Role> roles,
            List<Proximity> near,
            Duration limit,
            Interruption onLoss,
            Payload payload,
            Labels labels) {
        this(
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
                RuntimeExpectation.NOTHING);
    }

    /// The same with other, or shared, roles.
    public JobSpec withRoles(List<Role> others) {
        return new JobSpec(
                name,
                tenant,
                priority,
                kind,
                others,
                near,
                limit,
                onLoss,
                payload,
                labels,
                runtimeExpectation,
                memoryPerGpu);
    }

    /// The same with other proximity requests.
    public JobSpec withNear(List<Proximity> others) {
        return new JobSpec(
                name,
                tenant,
                priority,
                kind,
                roles,
                others,
                limit,
                onLoss,
                payload,
                labels,
                runtimeExpectation,
                memoryPerGpu);
    }

    public JobSpec withLimit(Duration other) {
        return new JobSpec(
                name,
                tenant,
                priority,
                kind,
                roles,
                near,
                other,
                onLoss,
                payload,
                labels,
                runtimeExpectation,
                memoryPerGpu);
    }

    /// The same, with GPU memory counted for every GPU in quotas.
    public JobSpec countingMemoryPerGpu() {
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
                true);
    }

    /// The same, kept off these nodes.
    JobSpec avoiding(List<Avoidance> nodes) {
        return withRoles(roles.stream().map(role -> role.avoiding(nodes)).toList());
    }

    /// The same with another payload.
    public JobSpec withPayload(Payload other) {
        return new JobSpec(
                name,
                tenant,
                priority,
                kind,
                roles,
                near,
                limit,
                onLoss,
                other,
                labels,
                runtimeExpectation);
    }

    /// The same with this runtime expectation.
    public JobSpec expecting(RuntimeExpectation now) {
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
                now,
                memoryPerGpu);
    }

    /// How long a run is planned to take: the expected time, at most the limit; the limit where
    /// nothing is expected; `assumed` where there is neither.
    public Duration planned(Duration assumed) {
        if (!runtimeExpectation.isKnown()) {
            return limit.isZero() ? assumed : limit;
        }
        return limit.isZero() || runtimeExpectation.most().compareTo(limit) < 0
                ? runtimeExpectation.most()
                : limit;
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
}
