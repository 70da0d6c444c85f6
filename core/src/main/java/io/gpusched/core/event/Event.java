package io.gpusched.core.event;

import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimId;
import io.gpusched.core.model.Features;
import io.gpusched.core.model.ForeignTask;
import io.gpusched.core.model.GpuCondition;
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
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.Pool;
import io.gpusched.core.model.PoolId;
import io.gpusched.core.model.RequeueCause;
import io.gpusched.core.model.StopCause;
import io.gpusched.core.model.TaskState;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// What happened. The ledger is a fold over these and nothing else changes it; `at` is always the
/// cell's own time, never a sender's.
public sealed interface Event {
    Instant at();

    record JobSubmitted(
            Instant at,
            JobId job,
            JobSpec spec,
            String key,
            long fingerprint,
            boolean held,
            String by)
            implements Event {}

    record JobUpdated(Instant at, JobId job, int priority, String by) implements Event {}

    record JobHeld(Instant at, JobId job, String why) implements Event {}

    record JobReleased(Instant at, JobId job, String by) implements Event {}

    /// The job got its places; capacity and the tenant's quota are charged from here.
    record AttemptPlaced(Instant at, AttemptId attempt, Placement on, String because)
            implements Event {}

    record TaskChanged(Instant at, AttemptId attempt, int rank, TaskState state) implements Event {}

    /// A task stopped using its GPUs, or uses them again.
    ///
    /// @param since from when on it has not used them; null when it is busy again
    record TaskIdle(Instant at, AttemptId attempt, int rank, @Nullable Instant since)
            implements Event {}

    record AttemptRunning(Instant at, AttemptId attempt) implements Event {}

    /// All tasks are told to stop; what they hold is freed when they have ended, not before.
    record AttemptStopping(Instant at, AttemptId attempt, StopCause cause) implements Event {}

    /// A node refused to start a task of the run. Whether the job or the node is to blame is not
    /// known yet, see [RefusalConfirmed].
    ///
    /// @param avoidUntil until then the job is not placed on the node; null when it may be
    record StartRefused(
            Instant at, AttemptId attempt, NodeId node, String reason, @Nullable Instant avoidUntil)
            implements Event {}

    /// A job started elsewhere that the node had refused to start, so the node is to blame.
    record RefusalConfirmed(Instant at, JobId job, NodeId node) implements Event {}

    /// The job may be placed again on a node that refused to start it.
    record AvoidanceEnded(Instant at, JobId job, NodeId node) implements Event {}

    /// The run is over and the job waits again; capacity and quota are returned here, exactly once.
    ///
    /// @param lost whether the run was lost with its node, or could not be started
    /// @param drained whether it was stopped because its node was drained; with neither this nor
    ///        `lost`, it was preempted
    /// @param forgiven earlier losses that no longer count, because this run lasted long enough
    record JobRequeued(
            Instant at,
            JobId job,
            @Nullable Instant notBefore,
            boolean lost,
            boolean drained,
            int forgiven,
            String reason)
            implements Event {
        public JobRequeued(
                Instant at, JobId job, @Nullable Instant notBefore, boolean lost, String reason) {
            this(at, job, notBefore, lost, false, 0, reason);
        }

        public RequeueCause requeueCause() {
            return new RequeueCause(
                    lost
                            ? RequeueCause.Kind.LOST
                            : drained ? RequeueCause.Kind.DRAINED : RequeueCause.Kind.PREEMPTED,
                    forgiven);
        }
    }

    /// The job is over; what its run held, if it had one, is returned here, exactly once.
    record JobEnded(Instant at, JobId job, Outcome outcome) implements Event {}

    record ClaimMade(Instant at, Claim claim) implements Event {}

    record ClaimDropped(Instant at, ClaimId claim, String reason) implements Event {}

    record AgentJoined(Instant at, Agent agent) implements Event {}

    /// A node is new, or described anew.
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

    record PoolPut(Instant at, Pool pool) implements Event {}

    record PoolLoadChanged(
            Instant at, PoolId pool, long tokensPerSecond, long queued, long firstTokenMillis)
            implements Event {}

    record MarketChanged(Instant at, Market market) implements Event {}

    /// What a finished run taught: how long a kind of job took on a GPU model, alone or in company.
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

        /// Of which nothing more is known.
        public Observed(
                Instant at, String kind, String gpuModel, Duration ran, List<String> neighbours) {
            this(at, kind, gpuModel, ran, neighbours, Features.NONE);
        }
    }

    /// How many GPUs were chosen for people who asked since the last of these, and how many of the
    /// choices were made to learn something.
    record Scored(Instant at, long total, long explored, long reserved) implements Event {}

    /// From now on so many pairs of job and GPU are remembered, those seen last.
    record RetentionChanged(Instant at, long pairs) implements Event {}

    /// What was learned elsewhere was put in, over what was known of the same pairs.
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

    /// A scheduler took charge. The fingerprint names build, policy and settings: decisions replay
    /// exactly only under the same one.
    record EngineStarted(Instant at, long term, String build, String fingerprint)
            implements Event {}

    record PolicyChanged(Instant at, String policy, String by) implements Event {}

    /// From now on no agent holds a lease longer than this. A longer one is recorded before it is
    /// granted, a shorter one when the longer leases of before have surely run out.
    record LeaseBound(Instant at, Duration lease) implements Event {}

    /// The scheduler could not send orders for so long before `at`, for example because its store
    /// did not answer. What waits for an agent's answer to an order counts from `at` on.
    record OrdersDelayed(Instant at, Duration by) implements Event {}

    /// An agent no longer speaks for anything; kept so that listings can say so.
    record AgentLost(Instant at, AgentId agent) implements Event {}
}
