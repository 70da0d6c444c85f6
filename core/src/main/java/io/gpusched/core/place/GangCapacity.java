package io.gpusched.core.place;

import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.nodes.Trial;
import io.gpusched.core.policy.Refusal;
import io.gpusched.core.state.CapacityView;
import io.gpusched.core.state.ClusterState;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/// How many tasks of one job every node could run, summed up for each topology domain that all
/// tasks must share, and kept up to date while a trial evicts and restores other jobs.
///
///     64 tasks within a rack    r1: 8 + 8 + 4 = 20    r2: 8 + 0 + 8 = 16    → not enough
///     a job on r1 is evicted    r1: 8 + 8 + 8 = 24 …
///
/// Whether the job fits is then a comparison instead of a search, which matters when thousands of
/// victims or ending jobs are tried. For a job of one role the answer is exact; roles that compete
/// for the same nodes may still not fit together.
public final class GangCapacity {
    private final Job job;
    private final List<Role> roles;
    private final ClusterState state;
    private final CapacityView view;
    private final NodeSearch nodeSearch;
    private final GangProximity near;
    private final boolean sure;
    private final TopologyDomains.@Nullable Level level;

    /// For each role, the nodes that suit it at all.
    private final NodeSearch.Suitable[] suits;

    /// For each role, the tasks that fit on each node, and those that fit in each domain.
    private final int[][] onNode;

    private final long[][] inPlace;

    /// For each domain, how many roles fit there; and the domains where all fit.
    private final int[] content;

    private int enough;

    GangCapacity(
            Job job, CapacityView view, NodeSearch nodeSearch, GangProximity near, boolean sure) {
        this.job = job;
        this.roles = job.spec().roles();
        this.state = nodeSearch.state();
        this.view = view;
        this.nodeSearch = nodeSearch;
        this.near = near;
        this.sure = sure;
        this.level =
                near.required() >= 0 && job.spec().tasks() > 1
                        ? nodeSearch.topologyDomains().at(near.required())
                        : null;
        this.suits = new NodeSearch.Suitable[roles.size()];
        for (int role = 0; role < suits.length; role++) {
            suits[role] = nodeSearch.suits(roles.get(role).shape());
        }
        int places = level == null ? 1 : level.size();
        this.onNode = new int[roles.size()][];
        this.inPlace = new long[roles.size()][places];
        this.content = new int[places];
        count();
    }

    private void count() {
        var gangOffers = new GangOffers(nodeSearch, view);
        for (int role = 0; role < roles.size(); role++) {
            onNode[role] = new int[64];
            for (GangOffers.Offer offer : gangOffers.of(roles.get(role).shape())) {
                put(role, offer.node(), tasks(role, offer.node(), offer.tasks()));
            }
        }
    }

    /// Whether the job fits, as far as counting shows; a no is always right.
    public boolean isEnough() {
        return enough > 0 && !near.isImpossible();
    }

    /// Whether a yes is right as well.
    boolean isExact() {
        return roles.size() == 1;
    }

    /// Counts the node again after its free capacity changed.
    public void changed(NodeView changed) {
        NodeView node = view.show(changed);
        for (int role = 0; role < roles.size(); role++) {
            Shape shape = roles.get(role).shape();
            boolean takes =
                    suits[role].has(state.nodes().index(), node)
                            && nodeSearch.fit(shape, node, view) != null;
            put(role, node, takes ? tasks(role, node, GangOffers.atMost(shape, node)) : 0);
        }
    }

    /// Whether the job could use any capacity that is freed on the node.
    boolean couldUse(NodeId id) {
        NodeView node = state.nodes().find(id);
        for (NodeSearch.Suitable some : suits) {
            if (node != null && some.has(state.nodes().index(), node)) {
                return true;
            }
        }
        return false;
    }

    /// Whether any task is counted on the node.
    boolean countsOn(NodeId id) {
        NodeView node = state.nodes().find(id);
        for (int[] tasks : onNode) {
            if (node != null && node.index() < tasks.length && tasks[node.index()] > 0) {
                return true;
            }
        }
        return false;
    }

    private int tasks(int role, NodeView node, int atMost) {
        int most = Math.min(atMost, roles.get(role).min());
        Shape shape = roles.get(role).shape();
        return most <= 1 || (!sure && GangOffers.isSure(shape, node))
                ? most
                : tried(shape, node, most);
    }

    private int tried(Shape shape, NodeView node, int most) {
        try (Trial trial = state.trial()) {
            for (int tasks = 0; tasks < most; tasks++) {
                Grant grant = nodeSearch.fit(shape, node, view);
                if (grant == null) {
                    return tasks;
                }
                trial.place(new Slot(node.facts().id(), 0, tasks, grant, shape.host()));
            }
        }
        return most;
    }

    private void put(int role, NodeView node, int tasks) {
        int place = level == null ? 0 : level.of(node);
        int at = node.index();
        if (at >= onNode[role].length) {
            onNode[role] = Arrays.copyOf(onNode[role], Math.max(at + 1, 2 * at));
        }
        int before = onNode[role][at];
        if (place < 0 || before == tasks) {
            return;
        }
        onNode[role][at] = tasks;
        int min = roles.get(role).min();
        boolean was = inPlace[role][place] >= min;
        inPlace[role][place] += tasks - before;
        boolean is = inPlace[role][place] >= min;
        if (was != is) {
            enough -= content[place] == roles.size() ? 1 : 0;
            content[place] += is ? 1 : -1;
            enough += content[place] == roles.size() ? 1 : 0;
        }
    }

    /// The domain that comes closest to what the job requires, as a sentence; null when one is
    /// enough, the job requires none, or no domain could run even one task.
    @Nullable Refusal shortfall(List<String> names) {
        if (level == null || isEnough()) {
            return null;
        }
        String what = names.get(near.required());
        int best = 0;
        for (int place = 1; place < content.length; place++) {
            best = tasksIn(place) > tasksIn(best) ? place : best;
        }
        if (content.length == 0 || tasksIn(best) == 0) {
            return null;
        }
        return Refusal.untilCapacity(
                "near",
                "no "
                        + what
                        + " has room for all tasks: best "
                        + what
                        + " "
                        + level.name(best)
                        + " has "
                        + tasksIn(best)
                        + " of "
                        + job.spec().tasks());
    }

    /// The most tasks that fit together: in one domain, where the job requires that. None is
    /// counted beyond what the job has.
    public long mostTasks() {
        long most = 0;
        for (int place = 0; place < content.length; place++) {
            most = Math.max(most, tasksIn(place));
        }
        return most;
    }

    /// Tasks of all roles that fit there, none counted beyond what the job has.
    private long tasksIn(int place) {
        long sum = 0;
        for (int role = 0; role < roles.size(); role++) {
            sum += Math.min(roles.get(role).min(), inPlace[role][place]);
        }
        return sum;
    }
}
