package io.gpusched.core.engine;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Avoidance;
import io.gpusched.core.model.FaultRules;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeClosure;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Plurals;
import io.gpusched.core.model.RefusedStart;
import io.gpusched.core.model.Run;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.place.FleetCapacityCheck;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What follows when a node refuses to start a task: the job avoids the node for a while, and the
/// scheduler cordons a node that is to blame for several refusals.
///
///     n1 refuses job-1, job-2 and job-3; all three start on other nodes, and nothing starts on n1
///     →   n1 is cordoned; without that, best fit would send it every job that comes
///
/// A job can be to blame as well, for example for a directory that exists nowhere. So a refusal
/// counts against the node only once the job has started elsewhere; a start that works clears the
/// node; and the scheduler never cordons more than a tenth of the nodes by itself. Counting every
/// refusal was rejected: one user's mistyped script would cordon healthy nodes.
final class StartRefusals {
    private static final int PART_CORDONED = 10;

    private final ClusterState state;
    private final FaultRules rules;
    private final Instant now;

    /// Refusals confirmed in the same report, which the ledger does not know yet.
    private final Map<NodeId, Set<JobId>> fresh = new LinkedHashMap<>();

    /// Nodes cordoned in the same report.
    private int cordonedNow;

    StartRefusals(ClusterState state, FaultRules rules, Instant now) {
        this.state = state;
        this.rules = rules;
        this.now = now;
    }

    /// The node of the task refused to start it.
    Event refused(Job job, Run run, int rank, String reason) {
        NodeId node = run.on().slots().get(rank).node();
        return new Event.StartRefused(now, run.id(), node, reason, avoidUntil(job, node));
    }

    private @Nullable Instant avoidUntil(Job job, NodeId node) {
        boolean elsewhere =
                FleetCapacityCheck.couldGoElsewhere(
                        state, job.spec(), other -> other.equals(node) || avoids(job, other));
        return elsewhere && rules.avoidFor().isPositive() ? now.plus(rules.avoidFor()) : null;
    }

    private static boolean avoids(Job job, NodeId node) {
        return job.avoids().stream().anyMatch(one -> one.node().equals(node));
    }

    /// The job runs now, so the nodes that refused it before are to blame.
    List<Event> started(Job job) {
        var events = new ArrayList<Event>();
        for (Avoidance one : job.avoids()) {
            NodeView node = state.nodes().find(one.node());
            Set<JobId> jobs = fresh.computeIfAbsent(one.node(), id -> new LinkedHashSet<>());
            boolean known = node == null || blames(node, job.id());
            if (node != null && !known && jobs.add(job.id())) {
                events.add(new Event.RefusalConfirmed(now, job.id(), one.node()));
                int refused = refused(node, jobs);
                if (isBlackHole(node, refused)) {
                    events.add(cordon(node, refused, one.why()));
                }
            }
        }
        return events;
    }

    private static boolean blames(NodeView node, JobId job) {
        return node.refusals().stream().anyMatch(one -> one.job().equals(job));
    }

    private boolean isBlackHole(NodeView node, int refused) {
        return rules.cordonAfter() > 0
                && refused >= rules.cordonAfter()
                && !node.status().cordoned()
                && !node.status().draining()
                && mayCordon();
    }

    private Event cordon(NodeView node, int refused, String reason) {
        cordonedNow++;
        String why =
                "it refused to start "
                        + Plurals.of(refused, "job")
                        + " within "
                        + words(rules.window())
                        + " that then started elsewhere, the last one: "
                        + reason;
        return new Event.NodeChanged(
                now,
                node.facts().id(),
                node.status().cordon(NodeClosure.automatic(why)),
                "cordoned by the scheduler: " + why);
    }

    /// How many different jobs the node is to blame for within the window.
    private int refused(NodeView node, Set<JobId> present) {
        Instant since = now.minus(rules.window());
        int jobs = present.size();
        for (RefusedStart one : node.refusals()) {
            jobs += one.at().isBefore(since) ? 0 : 1;
        }
        return jobs;
    }

    private boolean mayCordon() {
        int cordoned = cordonedNow;
        for (NodeView node : state.nodes().all()) {
            cordoned += node.status().cordonedByScheduler() ? 1 : 0;
        }
        return cordoned < Math.max(1, state.nodes().all().size() / PART_CORDONED);
    }

    private static String words(Duration window) {
        return window.toSeconds() % 60 == 0
                ? Plurals.of(window.toMinutes(), "minute")
                : Plurals.of(window.toSeconds(), "second");
    }
}
