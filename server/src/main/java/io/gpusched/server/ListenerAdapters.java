package io.gpusched.server;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Node;
import io.gpusched.core.state.ClusterState;
import io.gpusched.core.state.NodeView;
import io.gpusched.server.agents.AgentServices;
import io.gpusched.server.agents.AgentTimes;
import io.gpusched.server.cell.CommandGateway;
import io.gpusched.server.config.Config;
import io.gpusched.server.config.DatabaseSection;
import io.gpusched.server.plugin.LoadedPlugins;
import io.gpusched.sim.whatif.SchedulerConfig;
import io.gpusched.store.Database;
import io.gpusched.wire.codec.SettingsText;

import java.time.Duration;
import java.util.ArrayList;

/// What one part wants to hear from another, translated.
final class ListenerAdapters {
    private ListenerAdapters() {}

    static Database database(DatabaseSection section) {
        if (!section.postgres()) {
            return new Database.Sqlite(section.folder());
        }
        return new Database.Postgres(
                "jdbc:postgresql://%s:%d/%s?sslmode=%s"
                        .formatted(
                                section.host(),
                                section.port(),
                                section.database(),
                                section.sslmode()),
                section.user(),
                section.password());
    }

    static String version() {
        String version = ListenerAdapters.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    /// Names everything that decisions depend on beside the journal, so that they can be made again
    /// from it.
    static String fingerprint(Config config, LoadedPlugins plugins) {
        boolean none = config.placement().plugins().isEmpty() && plugins.jars().isEmpty();
        return SettingsText.write(
                config.scheduler().policy(),
                RecoveredEngines.settings(config, plugins),
                none ? "" : config.placement().plugins() + " " + plugins.jars());
    }

    /// How decisions are made.
    static SchedulerConfig way(Config config, LoadedPlugins plugins) {
        return new SchedulerConfig(
                config.scheduler().policy(), RecoveredEngines.settings(config, plugins));
    }

    /// Tells the ledger what the configuration says about prices and memory; it takes up what is
    /// new.
    static void tell(Config config, CommandGateway commandGateway) {
        for (Market market : config.placement().markets()) {
            commandGateway.tell(new Command.SetMarket(market, "configuration"), answer -> {});
        }
        commandGateway.tell(new Command.SetRetention(config.learning().retention()), answer -> {});
    }

    /// The longest lease that agents of the ledger may hold. Releases that did not record it
    /// granted the usual one where nobody said otherwise.
    static Duration leaseBefore(ClusterState state) {
        boolean isUnknown = state.lease().isZero() && !state.agents().isEmpty();
        return isUnknown ? AgentTimes.DEFAULT.lease() : state.lease();
    }

    /// Tells the agents' end whom the ledger knows: their silence counts from now, and their GPUs
    /// are as hot as they were.
    static void introduce(ClusterState state, AgentServices agentServices) {
        for (Agent agent : state.agents()) {
            var nodes = new ArrayList<Node>();
            for (NodeView node : state.nodesOf(agent.id())) {
                nodes.add(node.facts());
                for (Gpu gpu : node.facts().gpus()) {
                    agentServices
                            .telemetry()
                            .resume(node.facts().id(), gpu.index(), node.condition(gpu.index()));
                }
            }
            agentServices.expect(agent, nodes);
        }
    }
}
