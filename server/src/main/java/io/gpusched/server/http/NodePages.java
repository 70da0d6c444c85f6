package io.gpusched.server.http;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Counted;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.server.agents.Presence;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.Readings;
import io.gpusched.server.view.View;
import io.gpusched.wire.request.DrainRequest;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// `/api/v1/nodes`: looking at machines, and keeping work away from them.
final class NodePages {
    private final Supplier<View> views;
    private final Lookups lookups;
    private final Readings readings;
    private final Presence presence;
    private final Bodies bodies;
    private final Commands commands;

    NodePages(
            Supplier<View> views,
            Lookups lookups,
            Readings readings,
            Presence presence,
            Bodies bodies,
            Commands commands) {
        this.views = views;
        this.lookups = lookups;
        this.readings = readings;
        this.presence = presence;
        this.bodies = bodies;
        this.commands = commands;
    }

    Reply list(Asked asked) {
        View view = views.get();
        List<NodeRow> nodes = view.nodes().all();
        var out = new JsonOut(1 << 14).object().name("nodes").array();
        var json = new NodeJson(out, readings, presence, visibleTo(asked.caller(), view));
        asked.page(nodes).forEach(json::write);
        return Reply.ok(out.endArray().field("total", nodes.size()).endObject());
    }

    Reply show(Asked asked) {
        View view = views.get();
        var out = new JsonOut(1 << 12);
        new NodeJson(out, readings, presence, visibleTo(asked.caller(), view))
                .write(lookups.node(asked));
        return Reply.ok(out);
    }

    Reply cordon(Asked asked) {
        commands.run(new Command.Cordon(idOf(asked), asked.caller().label()));
        return show(asked);
    }

    Reply uncordon(Asked asked) {
        commands.run(new Command.Uncordon(idOf(asked), asked.caller().label()));
        return show(asked);
    }

    /// Jobs that run there may end by themselves, unless the body says `stop` or has a deadline.
    /// `?evict=true` is the older way to say `stop`.
    Reply drain(Asked asked) {
        DrainRequest.Result.Valid how = how(asked);
        boolean stop = how.stop() || !asked.query("evict").isEmpty() && asked.flag("evict");
        commands.run(
                new Command.Drain(
                        idOf(asked),
                        stop,
                        stop ? Duration.ZERO : how.deadline(),
                        asked.caller().label()));
        return show(asked);
    }

    private DrainRequest.Result.Valid how(Asked asked) {
        byte[] body = asked.body();
        if (body.length == 0) {
            return new DrainRequest.Result.Valid(false, Duration.ZERO);
        }
        return switch (DrainRequest.read(bodies.object(body))) {
            case DrainRequest.Result.Invalid invalid -> throw Fault.of(invalid.problems());
            case DrainRequest.Result.Valid valid -> valid;
        };
    }

    /// A node whose agent has gone need not be silent for long first: nothing runs there, and the
    /// agent joins anew if it comes back.
    Reply remove(Asked asked) {
        NodeRow row = lookups.node(asked);
        NodeId id = row.facts().id();
        Presence.Contact contact = presence.contact(id);
        if (contact != null && !contact.connected()) {
            if (!row.holders().isEmpty()) {
                throw Fault.of(List.of(mayStillRun(row, contact)));
            }
            commands.run(() -> presence.tellIfAway(id));
        }
        commands.run(new Command.RemoveNode(id, asked.caller().label()));
        return Reply.message("Node " + id + " removed");
    }

    private static Problem mayStillRun(NodeRow row, Presence.Contact contact) {
        Duration rest = contact.fencedIn();
        return new Problem(
                Problem.Code.WRONG_STATE,
                "state",
                "node %s has %s, and its agent is not connected"
                        .formatted(row.facts().id(), Counted.of(row.holders().size(), "job")),
                "start its agent again and drain the node"
                        + (rest == null
                                ? ""
                                : ", or wait until its jobs are given up, in at most "
                                        + Math.max(1, rest.toSeconds())
                                        + " s"));
    }

    private NodeId idOf(Asked asked) {
        return lookups.node(asked).facts().id();
    }

    private static Predicate<JobId> visibleTo(Caller caller, View view) {
        return id -> {
            Job job = view.job(id);
            return job != null && caller.mayTouch(job.tenant());
        };
    }
}
