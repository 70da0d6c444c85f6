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
import io.gpusched.core.model.Pool;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import java.time.Duration;
import java.util.List;

/// What people ask for. Who may ask is settled before it gets here; `by` is kept for the record.
public sealed interface Command extends Input {
    /// @param key the idempotency key, or empty
    /// @param fingerprint of the request's body: the same key with another body is refused
    /// @param held whether the job waits for a release before it may be scheduled
    record Submit(JobSpec spec, String key, long fingerprint, boolean held, String by)
            implements Command {}

    record Cancel(JobId job, String by) implements Command {}

    record Hold(JobId job, String by) implements Command {}

    record Release(JobId job, String by) implements Command {}

    record Reprioritise(JobId job, int priority, String by) implements Command {}

    /// Makes a tenant (`create`) or changes all of one. Making one that exists is refused, and so
    /// is changing one that does not: it may have been removed since the sender looked.
    record PutTenant(Tenant tenant, boolean create, String by) implements Command {}

    /// Removes a tenant that has no jobs left.
    record RemoveTenant(TenantId tenant, String by) implements Command {}

    /// Takes no new tasks on the node.
    record Cordon(NodeId node, String by) implements Command {}

    /// Ends a cordon or a drain.
    record Uncordon(NodeId node, String by) implements Command {}

    /// Takes no new tasks on the node, so that it is empty when the present jobs have ended.
    ///
    /// @param evict whether present jobs are stopped at once
    /// @param deadline after this time jobs that still run are stopped; zero for never
    record Drain(NodeId node, boolean evict, Duration deadline, String by) implements Command {
        public Drain(NodeId node, boolean evict, String by) {
            this(node, evict, Duration.ZERO, by);
        }
    }

    /// Forgets a node that runs nothing.
    record RemoveNode(NodeId node, String by) implements Command {}

    record PutPool(Pool pool, String by) implements Command {}

    record SetMarket(Market market, String by) implements Command {}

    /// Schedules by another policy from now on; the name is one that the engine knows.
    record SetPolicy(String policy, String by) implements Command {}

    /// Tells how long a run took, so that something is learned from it.
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

    /// Adds to the count of choices made for people who asked, and of those made to learn.
    ///
    /// @param reserved how many more may be made to learn before the next count
    record CountScores(long total, long explored, long reserved) implements Command {}

    /// Remembers so many pairs of job and GPU from now on.
    record SetRetention(long pairs) implements Command {}

    /// Puts in what was learned elsewhere.
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
