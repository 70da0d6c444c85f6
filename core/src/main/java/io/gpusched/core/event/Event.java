package io.gpusched.core.event;

import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.CapacityRule;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimId;
import io.gpusched.core.model.Features;
import io.gpusched.core.model.ForeignTask;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.LearnedInterference;
import io.gpusched.core.model.LearnedRuns;
import io.gpusched.core.model.LearnedRuntime;
import io.gpusched.core.model.LearnedSlowdown;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Outcome;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.PolicyCause;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.core.model.RequeueCause;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.model.TaskState;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.CacheState;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.QueueBinding;
import io.gpusched.core.pool.ServingChoice;
import io.gpusched.core.spot.CapacityChoice;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Something that happened, as a result. The ledger is a fold over events and nothing else changes
/// it. `at` is always the cell's own time, never a sender's.
public sealed interface Event {
    Instant at();

    /// Carries the job as it enters the ledger, so that all engines of a process share one object:
    /// most of the memory of a long queue would otherwise be copies.
    ///
    /// @param entering a new job: nothing has happened to it yet
    record JobSubmitted(Job entering, String key, long fingerprint, String by) implements Event {
        public JobSubmitted {
            Check.that(entering.isNew(), "a submitted job is new, found %s", entering);
        }

        public JobSubmitted(
                Instant at,
                JobId job,
                JobSpec spec,
                String key,
                long fingerprint,
                boolean held,
                String by) {
            this(
                    held ? Job.submittedHeld(job, spec, at) : Job.submitted(job, spec, at),
                    key,
                    fingerprint,
                    by);
        }

        @Override
        public Instant at() {
            return entering.submitted();
        }

        public JobId job() {
            return entering.id();
        }

        public JobSpec spec() {
            return entering.spec();
        }

        public boolean held() {
            return entering.phase() instanceof Phase.Held;
        }

        /// Says what the journal records, not what follows from it.
        @Override
        public String toString() {
            return "JobSubmitted[at="
                    + at()
                    + ", job="
                    + job()
                    + ", spec="
                    + spec()
                    + ", key="
                    + key
                    + ", fingerprint="
                    + fingerprint
                    + ", held="
                    + held()
                    + ", by="
                    + by
                    + "]";
        }
    }

    record JobUpdated(Instant at, JobId job, int priority, String by) implements Event {}

    record JobHeld(Instant at, JobId job, String why) implements Event {}

    record JobReleased(Instant at, JobId job, String by) implements Event {}

    /// The scheduler placed the job; capacity and the tenant's quota are charged from here.
    record AttemptPlaced(Instant at, AttemptId attempt, Placement on, String because)
            implements Event {}

    record TaskChanged(Instant at, AttemptId attempt, int rank, TaskState state) implements Event {}

    /// A task stopped using its GPUs, or uses them again.
    ///
    /// @param since when the task stopped using them; null when it uses them again
    record TaskIdle(Instant at, AttemptId attempt, int rank, @Nullable Instant since)
            implements Event {}

    record AttemptRunning(Instant at, AttemptId attempt) implements Event {}

    /// The scheduler stops all tasks; their capacity is freed only when they have ended.
    record AttemptStopping(Instant at, AttemptId attempt, StopCause cause) implements Event {}

    /// A node refused to start a task of the run. Whether the job or the node is to blame is not
    /// known yet, see [RefusalConfirmed].
    ///
    /// @param avoidUntil until then the job is not placed on the node; null for no such time
    record StartRefused(
            Instant at, AttemptId attempt, NodeId node, String reason, @Nullable Instant avoidUntil)
            implements Event {}

    /// A job that the node had refused to start has started elsewhere, so the node is to blame.
    record RefusalConfirmed(Instant at, JobId job, NodeId node) implements Event {}

    /// The job may be placed again on a node that refused to start it.
    record AvoidanceEnded(Instant at, JobId job, NodeId node) implements Event {}

    /// The run is over and the job waits again; capacity and quota are returned here, exactly once.
    ///
    /// @param lost whether the run was lost with its node, or could not be started
    /// @param drained whether the run was stopped because its node was drained
    /// @param moved whether the job goes on elsewhere because of its deadline
    /// @param withdrawn whether its start was withdrawn, and nobody is to blame; if none of `lost`,
    ///        `drained`, `moved` and `withdrawn` is set, the job was preempted
    /// @param forgiven earlier losses that no longer count, because this run lasted long enough
    record JobRequeued(
            Instant at,
            JobId job,
            @Nullable Instant notBefore,
            boolean lost,
            boolean drained,
            boolean moved,
            boolean withdrawn,
            int forgiven,
            String reason)
            implements Event {
        public JobRequeued(
                Instant at, JobId job, @Nullable Instant notBefore, boolean lost, String reason) {
            this(at, job, notBefore, lost, false, false, false, 0, reason);
        }

        public RequeueCause requeueCause() {
            if (moved || withdrawn) {
                return new RequeueCause(
                        moved ? RequeueCause.Kind.MOVED : RequeueCause.Kind.WITHDRAWN, forgiven);
            }
            return new RequeueCause(
                    lost
                            ? RequeueCause.Kind.LOST
                            : drained ? RequeueCause.Kind.DRAINED : RequeueCause.Kind.PREEMPTED,
                    forgiven);
        }
    }

    /// The job is over; what its run held, if it had one, is returned here, exactly once.
    record JobEnded(Instant at, JobId job, Outcome outcome) implements Event {}

    /// From now on the job runs on other capacity, or waits for spot capacity. A run elsewhere is
    /// stopped by an event of its own.
    record CapacityChosen(Instant at, JobId job, CapacityRule rule, CapacityChoice choice)
            implements Event {}

    /// Spot capacity for a kind of request appeared or is gone, or is watched again.
    ///
    /// @param need fingerprint of the request: jobs that ask for the same share what was seen
    record SpotSeen(Instant at, long need, boolean available) implements Event {}

    record ClaimMade(Instant at, Claim claim) implements Event {}

    record ClaimDropped(Instant at, ClaimId claim, String reason) implements Event {}

    record AgentJoined(Instant at, Agent agent) implements Event {}

    /// A node joined, or its agent described it anew.
    record NodeJoined(Instant at, Node node) implements Event {}

    record NodeChanged(Instant at, NodeId node, NodeStatus status, String reason)
            implements Event {}

    record NodeRemoved(Instant at, NodeId node) implements Event {}

    record GpuChanged(Instant at, NodeId node, int gpu, GpuCondition condition) implements Event {}

    record ForeignChanged(Instant at, NodeId node, List<ForeignTask> all) implements Event {
        public ForeignChanged {
            all = List.copyOf(all);
        }
    }

    record TenantPut(Instant at, Tenant tenant, String by) implements Event {}

    record TenantRemoved(Instant at, TenantId tenant, String by) implements Event {}

    /// A pool was created or changed.
    record PoolPut(Instant at, Pool pool, String by) implements Event {}

    /// The pool's replicas are stopped; it is forgotten when the last one has ended.
    record PoolRemoved(Instant at, PoolId pool, String by) implements Event {}

    /// The pool has this size from now on, whatever its rules say.
    ///
    /// @param replicas null when the rules decide again
    record PoolHeld(Instant at, PoolId pool, @Nullable Integer replicas, String reason, String by)
            implements Event {}

    /// A source reported the load of a pool.
    record PoolLoadChanged(Instant at, PoolId pool, PoolLoad load) implements Event {}

    /// The pool's law recommends another size than before.
    ///
    /// @param replicas what the law recommends
    /// @param target that size after warm replicas, schedules and bounds
    record PoolRecommended(
            Instant at, PoolId pool, int replicas, int target, String rule, String reason)
            implements Event {}

    /// The pool has another size from now on; replicas are submitted or drained to reach it.
    record PoolScaled(Instant at, PoolId pool, int from, int to, String rule, String reason)
            implements Event {}

    /// The next replicas of the pool run on other capacity or load another model.
    record PoolChoice(Instant at, PoolId pool, ServingChoice choice) implements Event {}

    /// Replicas found no capacity for a while and were withdrawn.
    ///
    /// @param retryAt the pool does not grow before
    record PoolLapsed(Instant at, PoolId pool, Instant retryAt, String reason) implements Event {}

    /// The replica gets no new requests, and is stopped when it has finished those it has.
    record ReplicaDraining(Instant at, JobId job, String reason) implements Event {}

    /// A model was declared or changed.
    record ModelPut(Instant at, ModelSpec model, String by) implements Event {}

    record ModelRemoved(Instant at, String model, String by) implements Event {}

    /// An agent class was created or changed.
    record AgentClassPut(Instant at, AgentClass agentClass, String by) implements Event {}

    record AgentClassRemoved(Instant at, String agentClass, String by) implements Event {}

    /// A binding of a queue was created or changed.
    record BindingPut(Instant at, QueueBinding binding, String by) implements Event {}

    record BindingRemoved(Instant at, String binding, String by) implements Event {}

    /// A node holds a model, loads it, could not load it, or no longer holds it.
    ///
    /// @param bytes what it takes of the node's cache; 0 where it is not known
    /// @param problem why the node could not load it
    record ModelCached(
            Instant at, NodeId node, String model, CacheState state, long bytes, String problem)
            implements Event {}

    /// The node should load the model ahead of need and keep it.
    record ModelWanted(Instant at, NodeId node, String model, String why) implements Event {}

    /// The node need not keep the model.
    ///
    /// @param evict whether it should remove the model
    record ModelUnwanted(Instant at, NodeId node, String model, boolean evict, String why)
            implements Event {}

    record MarketChanged(Instant at, Market market) implements Event {}

    /// A region has this forecast of the carbon intensity of its power from now on; it replaces an
    /// earlier one.
    record ForecastPut(Instant at, RegionForecast forecast, String by) implements Event {}

    record ForecastRemoved(Instant at, String region, String by) implements Event {}

    /// A run finished: how long a kind of job took on a GPU model, alone or beside neighbours.
    record Observed(
            Instant at,
            String kind,
            String gpuModel,
            Duration ran,
            List<String> neighbours,
            Features features)
            implements Event {
        public Observed {
            neighbours = List.copyOf(neighbours);
        }

        /// An observation without features.
        public Observed(
                Instant at, String kind, String gpuModel, Duration ran, List<String> neighbours) {
            this(at, kind, gpuModel, ran, neighbours, Features.NONE);
        }
    }

    /// How many score requests were answered since the last such event, and how many of them by
    /// exploration.
    record Scored(Instant at, long total, long explored, long reserved) implements Event {}

    /// From now on the learner remembers this many pairs of job kind and GPU model, the latest
    /// seen.
    record RetentionChanged(Instant at, long pairs) implements Event {}

    /// The learner imported what another scheduler has learned; it replaces what was known of the
    /// same pairs.
    record Imported(
            Instant at,
            List<LearnedRuntime> runtimes,
            List<LearnedSlowdown> slowdowns,
            List<LearnedRuns> runs,
            List<LearnedInterference> interference,
            String by)
            implements Event {
        public Imported {
            runtimes = List.copyOf(runtimes);
            slowdowns = List.copyOf(slowdowns);
            runs = List.copyOf(runs);
            interference = List.copyOf(interference);
        }
    }

    /// A scheduler started on this journal. The fingerprint covers build, policy and settings:
    /// decisions replay exactly only under the same fingerprint.
    ///
    /// @param ledger the version of the rules by which the events from here on change the ledger
    ///        and its digest; 0 in old journals, which are replayed by the rules of their time
    record EngineStarted(Instant at, long term, String build, String fingerprint, int ledger)
            implements Event {
        /// The version of this build.
        public static final int LEDGER = 2;

        /// A scheduler of this build.
        public EngineStarted(Instant at, long term, String build, String fingerprint) {
            this(at, term, build, fingerprint, LEDGER);
        }
    }

    /// Another policy is in force from now on.
    ///
    /// @param reason in words, for people; may be empty
    /// @param configured the policy in the configuration at that time, so that a later start can
    ///        tell whether the configuration was edited since; empty in old journals
    record PolicyChanged(
            Instant at,
            String policy,
            String by,
            String reason,
            PolicyCause cause,
            String configured)
            implements Event {
        public PolicyChanged(Instant at, String policy, String by) {
            this(at, policy, by, "", PolicyCause.COMMAND, "");
        }
    }

    /// From now on no agent holds a lease longer than this. A longer bound is recorded before such
    /// a lease is granted, a shorter one when the earlier, longer leases have surely expired.
    record LeaseBound(Instant at, Duration lease) implements Event {}

    /// The scheduler could not send orders for this long before `at`, for example because its store
    /// did not answer. Timeouts of an agent's answer to an order count from `at` on.
    record OrdersDelayed(Instant at, Duration by) implements Event {}

    /// An agent was silent for too long and is lost; recorded so that listings can show it.
    record AgentLost(Instant at, AgentId agent) implements Event {}
}
