package io.gpusched.core.queue;

import io.gpusched.core.model.CarbonPreference;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.Replica;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.RuntimeExpectation;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// Waiting jobs that get equal answers: same tenant, same priority, same shapes, and where runtimes
/// matter, the same limit and the same expectation. Jobs that may be held back for clean power are
/// alike only if they may be until the same time. Only the first of a class needs to be tried.
///
/// A class extends its queue instead of having one: that is one memory access less for every job
/// that arrives or leaves.
public final class WaitClass extends ClassQueue {
    /// Everything about a job on which gates, filters, fitters and preemptors may depend.
    ///
    /// @param pool the pool of a replica; whether it may preempt depends on the pool. Empty for
    ///        other jobs
    /// @param length null where it does not matter how long jobs run
    /// @param shift null where the jobs are not held back for clean power
    public record Key(
            TenantId tenant,
            int priority,
            List<Role> roles,
            List<Proximity> near,
            boolean memoryPerGpu,
            String pool,
            @Nullable Length length,
            @Nullable Shift shift) {
        public static Key of(Job job, boolean byLength) {
            var spec = job.spec();
            Replica replica = spec.replica();
            Shift shift = Shift.of(job);
            return new Key(
                    spec.tenant(),
                    job.priority(),
                    spec.roles(),
                    spec.near(),
                    spec.memoryPerGpu(),
                    replica == null ? "" : replica.pool(),
                    byLength || shift != null
                            ? new Length(spec.limit(), spec.runtimeExpectation(), spec.isReplica())
                            : null,
                    shift);
        }
    }

    /// How long a job may run and is expected to run.
    ///
    /// @param endless whether it runs until it is stopped
    public record Length(Duration limit, RuntimeExpectation runtimeExpectation, boolean endless) {}

    /// Until when jobs may be held back for clean power, and what power they want.
    public record Shift(Instant until, CarbonPreference carbon) {
        static @Nullable Shift of(Job job) {
            Instant until = job.mayShiftUntil();
            return until == null ? null : new Shift(until, job.spec().carbon());
        }
    }

    enum Rest {
        AWAKE,
        /// Until capacity is freed.
        CAPACITY,
        /// Until capacity is freed, and no candidate for a reservation: no end of other jobs would
        /// help.
        HOPELESS,
        TENANT,
        TIME,
        /// Until nodes join, leave or are described anew.
        FLEET
    }

    final Key key;

    // Copies of the key's fields: they are read so often that one indirection less matters.
    private final TenantId tenant;
    private final int priority;
    private final List<Role> roles;
    private final List<Proximity> near;
    private final @Nullable Duration limit;
    private final @Nullable RuntimeExpectation runtimeExpectation;

    /// Its index among all classes, see [WaitClasses].
    final int slot;

    /// Its index among the classes of its tenant, see [TenantTree]; -1 if it is not there.
    int tenantSlot = -1;

    /// The queues of its tenant that it is in, one bit each.
    int inQueues;

    /// The fewest idle GPUs that any of its tasks needs: a node with fewer is of no use.
    final int need;

    /// Whether labels of nodes may change the answer: its jobs choose nodes by label, or have
    /// several tasks, which labels put near each other or apart.
    final boolean looksAtLabels;

    /// How many jobs wait here.
    int live;

    Rest rest = Rest.AWAKE;
    TenantId restsOn;
    long restsUntil;

    WaitClass(Key key, int slot, QueueLinks queueLinks) {
        super(queueLinks);
        this.key = key;
        this.tenant = key.tenant;
        this.priority = key.priority;
        this.roles = key.roles;
        this.near = key.near;
        this.limit = key.length == null ? null : key.length.limit;
        this.runtimeExpectation = key.length == null ? null : key.length.runtimeExpectation;
        this.slot = slot;
        this.restsOn = key.tenant;
        int fewest = Integer.MAX_VALUE;
        for (Role role : key.roles) {
            fewest = Math.min(fewest, idleNeeded(role.shape().gpus()));
        }
        this.need = fewest;
        this.looksAtLabels = looksAtLabels(key);
    }

    private static boolean looksAtLabels(Key key) {
        Role first = key.roles.getFirst();
        return !key.near.isEmpty()
                || key.roles.size() > 1
                || first.max() > 1
                || first.shape().selectsNodes()
                || !first.shape().capacity().spot().isEmpty();
    }

    /// Shares and slices may fit on GPUs that are not idle.
    private static int idleNeeded(GpuRequest gpus) {
        return gpus instanceof GpuRequest.Whole whole ? whole.count() : 0;
    }

    /// The job number of the head, the first in the queue. It always waits here while any job does.
    public long head() {
        return firstNumber();
    }

    /// Whether its head could get another answer than before.
    public boolean isAwake() {
        return rest == Rest.AWAKE;
    }

    public int priority() {
        return key.priority;
    }

    /// Whether the job surely belongs here; a no may be wrong, a yes never is.
    @SuppressWarnings("ReferenceEquality") // equal roles are shared, and a guess may be wrong
    boolean holds(Job job) {
        var spec = job.spec();
        return spec.roles() == roles
                && job.priority() == priority
                && spec.memoryPerGpu() == key.memoryPerGpu
                && spec.tenant().equals(tenant)
                && (limit == null || spec.limit().equals(limit))
                && isOfPool(spec.replica())
                && (key.length == null || spec.isReplica() == key.length.endless)
                && Objects.equals(Shift.of(job), key.shift)
                && (runtimeExpectation == null
                        || spec.runtimeExpectation() == runtimeExpectation
                        || spec.runtimeExpectation().equals(runtimeExpectation))
                && spec.near().equals(near);
    }

    private boolean isOfPool(@Nullable Replica replica) {
        return replica == null ? key.pool.isEmpty() : replica.pool().equals(key.pool);
    }

    boolean before(WaitClass other) {
        return other.isAfter(firstKey(), firstNumber());
    }

    /// Whether the head comes after an entry.
    boolean isAfter(long key, long number) {
        return key < firstKey() || (key == firstKey() && number < firstNumber());
    }

    /// How many entries are of jobs that have left.
    int gone() {
        return entries() - live;
    }
}
