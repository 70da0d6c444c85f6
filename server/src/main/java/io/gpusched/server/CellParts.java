package io.gpusched.server;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.PolicyCause;
import io.gpusched.server.agents.AgentServices;
import io.gpusched.server.auth.Access;
import io.gpusched.server.cell.CellThread;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.cell.QueryFollower;
import io.gpusched.server.cell.SnapshotMaker;
import io.gpusched.server.cell.TimedJournal;

import java.util.List;

/// The cell and what it works with: the thread that decides, the follower that publishes views and
/// releases answers, and the services that carry placements to the agents.
final class CellParts {
    final Follower follower;
    final AgentServices agents;
    private final ServerContext context;
    private final long term;
    private final String recordedPolicy;
    private final Cell cell;
    private final CellThread thread;

    /// Raises the term, which fences servers that ran on the same journal before. Nothing is
    /// decided before [#start].
    CellParts(ServerContext context, Stores stores, BatchListeners listeners, Access access) {
        this.context = context;
        recordedPolicy = recordedPolicy(stores.engines.mirror().state().policyChanges());
        var queries =
                new QueryFollower(
                        stores.engines.copy(context.engineConfig()),
                        List.of(snapshotMaker(context, stores)),
                        context.liveness()::died);
        // Time, not merely the next number: agents may know a term of a journal that was lost.
        term = stores.journal.raiseTerm(context.clock().instant().toEpochMilli());
        agents = AgentSetup.services(context, stores, access, term);
        agents.telemetry().listen(listeners.idle);
        follower =
                context.shutdown()
                        .add(
                                new Follower(
                                        stores.engines.mirror(),
                                        queries,
                                        listeners.inOrder(agents),
                                        context.liveness()::died));
        var journal = new TimedJournal(stores.journal);
        cell = new Cell(stores.engines.engine(), journal, agents.launcher(), follower);
        thread =
                context.shutdown()
                        .add(
                                new CellThread(
                                        context.gateway(),
                                        cell,
                                        journal,
                                        follower,
                                        context.clock(),
                                        context.config().scheduler().interval(),
                                        listeners.cycleListener(),
                                        context.liveness()::died));
        context.shutdown().add(agents);
    }

    private static SnapshotMaker snapshotMaker(ServerContext context, Stores stores) {
        return new SnapshotMaker(
                stores.snapshots,
                context.config().database().snapshotEvents(),
                stores.engines.replayed());
    }

    /// Takes charge of the journal and begins to decide.
    void start() {
        // Before anything is assigned: how long the server waits for a lost agent depends on the
        // agent's tasks.
        AgentSetup.expectKnownAgents(cell.engine().state(), agents);
        cell.takeCharge(
                term,
                Version.current(),
                context.engineConfig().fingerprint(),
                context.clock().instant());
        follower.start();
        thread.start();
        sendConfiguration();
    }

    /// Sends the configured markets, the retention of the learned model and an edited policy to the
    /// cell, which records what differs from its state.
    private void sendConfiguration() {
        sendPolicy();
        for (Market market : context.config().placement().markets()) {
            context.gateway().tell(new Command.SetMarket(market, "configuration"), answer -> {});
        }
        var retention = new Command.SetRetention(context.config().learning().retention());
        context.gateway().tell(retention, answer -> {});
    }

    /// A policy that was set at run time stays in force after a restart, unless the configuration
    /// names another policy than when it was set: then the edit is newer, so it wins.
    private void sendPolicy() {
        String configured = context.config().scheduler().policy();
        if (recordedPolicy.isEmpty() || recordedPolicy.equals(configured)) {
            return;
        }
        var command =
                new Command.SetPolicy(
                        configured,
                        "configuration",
                        "scheduler.policy was changed from " + recordedPolicy + " to " + configured,
                        PolicyCause.CONFIGURATION);
        context.gateway().tell(command, answer -> {});
    }

    /// The policy that was configured when the policy was last changed; empty if it never was.
    private static String recordedPolicy(List<Event.PolicyChanged> changes) {
        return changes.isEmpty() ? "" : changes.getLast().configured();
    }
}
