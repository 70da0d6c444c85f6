package io.gpusched.server.http;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Plurals;
import io.gpusched.server.agents.AgentPresence;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.view.CallerTexts;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.View;
import io.gpusched.wire.request.DrainRequest;
import io.gpusched.wire.request.Parsed;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// `/api/v1/nodes`: list, show, cordon, drain and remove nodes, and declare them lost.
final class NodeHandlers {
    private final Supplier<View> views;
    private final Lookups lookups;
    private final CallerTexts callerTexts;
    private final LatestReadings latestReadings;
    private final AgentPresence agentPresence;
    private final RequestBodies requestBodies;
    private final CommandSender commandSender;

    NodeHandlers(
            Supplier<View> views,
            Lookups lookups,
            CallerTexts callerTexts,
            LatestReadings latestReadings,
            AgentPresence agentPresence,
            RequestBodies requestBodies,
            CommandSender commandSender) {
        this.views = views;
        this.lookups = lookups;
        this.callerTexts = callerTexts;
        this.latestReadings = latestReadings;
        this.agentPresence = agentPresence;
        this.requestBodies = requestBodies;
        this.commandSender = commandSender;
    }

    Response list(Request request) {
        View view = views.get();
        List<NodeRow> nodes = view.nodes().all();
        var out = new JsonOutput(1 << 14).object().name("nodes").array();
        NodeJson json = json(out, request.caller(), view);
        request.page(nodes).forEach(json::write);
        return Response.ok(out.endArray().field("total", nodes.size()).endObject());
    }

    Response show(Request request) {
        View view = views.get();
        var out = new JsonOutput(1 << 12);
        json(out, request.caller(), view).withConnections().write(lookups.node(request));
        return Response.ok(out);
    }

    private NodeJson json(JsonOutput out, Caller caller, View view) {
        return new NodeJson(
                out,
                latestReadings,
                agentPresence,
                visibleTo(caller, view),
                callerTexts.of(caller));
    }

    Response cordon(Request request) {
        commandSender.run(new Command.Cordon(idOf(request), request.caller().label()));
        return show(request);
    }

    Response uncordon(Request request) {
        commandSender.run(new Command.Uncordon(idOf(request), request.caller().label()));
        return show(request);
    }

    /// Drains a node. Its jobs may run to their end, unless the body says `stop` or has a deadline.
    /// `?evict=true` is the older form of `stop`.
    Response drain(Request request) {
        DrainRequest how = how(request);
        boolean stop = how.stop() || !request.query("evict").isEmpty() && request.flag("evict");
        commandSender.run(
                new Command.Drain(
                        idOf(request),
                        stop,
                        stop ? Duration.ZERO : how.deadline(),
                        request.caller().label()));
        return show(request);
    }

    private DrainRequest how(Request request) {
        byte[] body = request.body();
        if (body.length == 0) {
            return DrainRequest.GENTLE;
        }
        return switch (DrainRequest.read(requestBodies.object(body))) {
            case Parsed.Invalid(var problems) -> throw HttpError.of(problems);
            case Parsed.Valid(var valid, _) -> valid;
        };
    }

    /// Removes a node. If its agent is not connected, the node need not have been silent for long:
    /// nothing runs there, and the agent joins again if it comes back.
    Response remove(Request request) {
        NodeRow row = lookups.node(request);
        NodeId id = row.facts().id();
        AgentPresence.Contact contact = agentPresence.contact(id);
        if (contact != null && !contact.connected()) {
            if (!row.holders().isEmpty()) {
                throw HttpError.of(List.of(mayStillRun(row, contact)));
            }
            commandSender.run(() -> agentPresence.reportIfAway(id));
        }
        commandSender.run(new Command.RemoveNode(id, request.caller().label()));
        return Response.message("Node " + id + " removed");
    }

    /// Gives up the tasks of a node whose cluster is silent; with `?agent=true`, those of all nodes
    /// of its agent.
    Response declareLost(Request request) {
        NodeId id = idOf(request);
        boolean all = !request.query("agent").isEmpty() && request.flag("agent");
        commandSender.run(new Command.DeclareLost(id, all, request.caller().label()));
        return Response.message(
                all
                        ? "All nodes of the agent of node " + id + " declared lost"
                        : "Node " + id + " declared lost");
    }

    private static Problem mayStillRun(NodeRow row, AgentPresence.Contact contact) {
        Duration rest = contact.fencedIn();
        return new Problem(
                Problem.Code.WRONG_STATE,
                "state",
                "node %s has %s, and its agent is not connected"
                        .formatted(row.facts().id(), Plurals.of(row.holders().size(), "job")),
                "start its agent again and drain the node"
                        + (rest == null
                                ? ""
                                : ", or wait until its jobs are given up, in at most "
                                        + Math.max(1, rest.toSeconds())
                                        + " s"));
    }

    private NodeId idOf(Request request) {
        return lookups.node(request).facts().id();
    }

    private static Predicate<JobId> visibleTo(Caller caller, View view) {
        return id -> {
            Job job = view.job(id);
            return job != null && caller.mayTouch(job.tenant());
        };
    }
}
