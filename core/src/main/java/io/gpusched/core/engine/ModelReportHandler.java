package io.gpusched.core.engine;

import io.gpusched.core.event.Event;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.pool.CacheState;
import io.gpusched.core.pool.HeldModel;
import io.gpusched.core.state.CachedModel;
import io.gpusched.core.state.ClusterState;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;

/// Answers reports of nodes about the models that they hold. Only what differs from the ledger
/// becomes an event.
final class ModelReportHandler {
    private final ClusterState state;
    private final Instant now;

    ModelReportHandler(ClusterState state, Instant now) {
        this.state = state;
        this.now = now;
    }

    List<Event> to(Report.ModelCached r) {
        return r.model().isEmpty() || state.nodes().find(r.node()) == null
                ? List.of()
                : changes(r.node(), new HeldModel(r.model(), r.state(), 0, ""));
    }

    /// The list is complete: the node no longer has a model that it reported earlier and that is
    /// not in it.
    List<Event> to(Report.NodeModels r) {
        if (state.nodes().find(r.node()) == null) {
            return List.of();
        }
        var events = new ArrayList<Event>();
        var listed = new LinkedHashSet<String>();
        for (HeldModel held : r.models()) {
            if (!held.model().isEmpty() && listed.add(held.model())) {
                events.addAll(changes(r.node(), held));
            }
        }
        for (CachedModel known : state.models().on(r.node())) {
            boolean gone = known.reported() || known.state() == CacheState.EVICTING;
            if (gone && !listed.contains(known.model())) {
                var none = new HeldModel(known.model(), CacheState.EVICTED, 0, "");
                events.addAll(changes(r.node(), none));
            }
        }
        return events;
    }

    private List<Event> changes(NodeId node, HeldModel held) {
        CachedModel before = state.models().find(node, held.model());
        boolean gone = held.state() == CacheState.EVICTED;
        boolean leaves = before != null && before.state() == CacheState.EVICTING;
        CacheState present = before == null ? CacheState.EVICTED : before.state();
        boolean same = present == held.state() || (leaves && !gone);
        long bytes = before == null ? 0 : before.bytes();
        String problem = before == null ? "" : before.problem();
        return same && bytes == held.bytes() && Objects.equals(problem, held.problem())
                ? List.of()
                : List.of(
                        new Event.ModelCached(
                                now,
                                node,
                                held.model(),
                                held.state(),
                                held.bytes(),
                                held.problem()));
    }
}
