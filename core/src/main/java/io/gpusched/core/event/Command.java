package io.gpusched.core.event;

import io.gpusched.core.model.Features;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.LearnedInterference;
import io.gpusched.core.model.LearnedRuns;
import io.gpusched.core.model.LearnedRuntime;
import io.gpusched.core.model.LearnedSlowdown;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.PolicyCause;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.pool.AgentClass;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.QueueBinding;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/// A request of a user or an operator to change something. The server authorises a command before
/// it reaches the cell; `by` names the sender for the record.
public sealed interface Command extends Input {
    /// @param key the idempotency key, or empty
    /// @param fingerprint of the request's body; the cell rejects the same key with another body
    /// @param held whether the job must be released before it may be scheduled
    record Submit(JobSpec spec, String key, long fingerprint, boolean held, String by)
            implements Command {}

    record Cancel(JobId job, String by) implements Command {}

    record Hold(JobId job, String by) implements Command {}

    record Release(JobId job, String by) implements Command {}

    record Reprioritise(JobId job, int priority, String by) implements Command {}

    /// Creates a tenant (`create`) or replaces all settings of one. The cell rejects creating a
    /// tenant that exists, and changing one that does not: it may have been removed in the
    /// meantime.
    record PutTenant(Tenant tenant, boolean create, String by) implements Command {}

    /// Removes a tenant that has no jobs left.
    record RemoveTenant(TenantId tenant, String by) implements Command {}

    /// Closes the node to new tasks.
    record Cordon(NodeId node, String by) implements Command {}

    /// Ends a cordon or a drain.
    record Uncordon(NodeId node, String by) implements Command {}

    /// Closes the node to new tasks, so that it is empty when its present jobs have ended.
    ///
    /// @param evict whether jobs on the node are stopped at once
    /// @param deadline how long jobs may still run before they are stopped; zero for no deadline
    record Drain(NodeId node, boolean evict, Duration deadline, String by) implements Command {
        public Drain(NodeId node, boolean evict, String by) {
            this(node, evict, Duration.ZERO, by);
        }
    }

    /// Removes a node that runs nothing.
    record RemoveNode(NodeId node, String by) implements Command {}

    /// The tasks of a silent cluster's node have certainly ended. Silence alone never says so.
    ///
    /// @param allOfAgent whether this is true of all nodes of the node's agent
    record DeclareLost(NodeId node, boolean allOfAgent, String by) implements Command {}

    /// A command that may be a part of [Apply].
    sealed interface PoolPart extends Command {}

    /// Creates a pool or replaces all of its rules.
    record PutPool(Pool pool, String by) implements PoolPart {}

    /// Stops all replicas of the pool and then forgets it.
    record RemovePool(PoolId pool, String by) implements Command {}

    /// Holds the pool at a size, or lets its rules decide again.
    ///
    /// @param replicas null to let the rules decide
    record ScalePool(PoolId pool, @Nullable Integer replicas, String reason, String by)
            implements Command {}

    /// Declares a model or changes one.
    record PutModel(ModelSpec model, String by) implements PoolPart {}

    /// @param force also while pools serve it
    record RemoveModel(String model, boolean force, String by) implements Command {}

    /// Creates an agent class or changes one. Its pools are put beside it.
    record PutAgentClass(AgentClass agentClass, String by) implements PoolPart {}

    /// @param force also while pools name it; they keep its model and objectives
    record RemoveAgentClass(String name, boolean force, String by) implements Command {}

    /// Creates a binding of a queue or changes one.
    record PutBinding(QueueBinding binding, String by) implements PoolPart {}

    record RemoveBinding(String binding, String by) implements PoolPart {}

    /// Runs commands about pools, models, classes and bindings: all of them, or none if one is
    /// rejected.
    record Apply(List<PoolPart> parts, String by) implements Command {
        public Apply {
            parts = List.copyOf(parts);
        }
    }

    record SetMarket(Market market, String by) implements Command {}

    /// Gives a region a forecast of the carbon intensity of its power, in place of an earlier one.
    record PutForecast(RegionForecast forecast, String by) implements Command {}

    record RemoveForecast(String region, String by) implements Command {}

    /// Switches to another policy from now on; the name is one that the engine knows. Nothing
    /// happens if that policy is in force already.
    ///
    /// @param reason in words, for people; may be empty
    record SetPolicy(String policy, String by, String reason, PolicyCause cause)
            implements Command {
        /// The most characters of a reason: every snapshot has the reasons of the last changes.
        public static final int LONGEST_REASON = 1_024;

        public SetPolicy(String policy, String by) {
            this(policy, by, "", PolicyCause.COMMAND);
        }
    }

    /// Reports how long a run took, so that the runtime model learns from it.
    record Observe(
            String kind,
            String gpuModel,
            Duration ran,
            List<String> neighbours,
            Features features,
            String by)
            implements Command {
        public Observe {
            neighbours = List.copyOf(neighbours);
        }
    }

    /// Adds to the number of answered score requests, and of those answered by exploration.
    ///
    /// @param reserved how many more explorations may happen before the next count
    record CountScores(long total, long explored, long reserved) implements Command {}

    /// Sets how many pairs of job kind and GPU model the learner remembers.
    record SetRetention(long pairs) implements Command {}

    /// Imports what another scheduler has learned.
    record Import(
            List<LearnedRuntime> runtimes,
            List<LearnedSlowdown> slowdowns,
            List<LearnedRuns> runs,
            List<LearnedInterference> interference,
            String by)
            implements Command {
        public Import {
            runtimes = List.copyOf(runtimes);
            slowdowns = List.copyOf(slowdowns);
            runs = List.copyOf(runs);
            interference = List.copyOf(interference);
        }
    }
}
