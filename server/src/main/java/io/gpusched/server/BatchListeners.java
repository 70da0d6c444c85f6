package io.gpusched.server;

import io.gpusched.core.state.ClusterState;
import io.gpusched.server.agents.AgentServices;
import io.gpusched.server.alert.RecentActivity;
import io.gpusched.server.cell.CellClock;
import io.gpusched.server.cell.CellThread;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.config.Config;
import io.gpusched.server.config.SchedulerSection;
import io.gpusched.server.forecast.StartForecaster;
import io.gpusched.server.history.HistoryCounts;
import io.gpusched.server.idle.IdleWatch;
import io.gpusched.server.learn.ModelCopies;
import io.gpusched.server.learn.ScoreService;
import io.gpusched.server.live.EventFeed;
import io.gpusched.server.metrics.EventMeters;
import io.gpusched.server.metrics.Meters;
import io.gpusched.server.metrics.PoolMeters;
import io.gpusched.server.metrics.ReplicaMeters;
import io.gpusched.server.metrics.ScoreMeters;
import io.gpusched.server.policy.PolicyControl;
import io.gpusched.server.policy.PolicyInForce;
import io.gpusched.server.policy.ShadowChoice;
import io.gpusched.server.whatif.RecordedConfigs;
import io.gpusched.server.whatif.ShadowMeters;
import io.gpusched.server.whatif.ShadowPolicy;

import java.time.Duration;
import java.util.List;

/// The services that follow the durable batches: metrics, counts for alerts and for the history,
/// scores, start estimates, the watch for idle GPUs, the policy in force, the shadow policy and
/// live events. They begin at the end of the replayed journal.
final class BatchListeners {
    private static final Duration LEAST_TELEMETRY_GAP = Duration.ofMinutes(1);

    final Meters meters;
    final ScoreService scores;
    final StartForecaster startForecaster;
    final ModelCopies modelCopies = new ModelCopies();
    final IdleWatch idle;
    final RecentActivity recentActivity;
    final ShadowPolicy shadowPolicy;
    final PolicyControl policyControl;
    final HistoryCounts historyCounts = new HistoryCounts();
    final EventFeed events;
    final PoolMeters poolMeters;
    final ReplicaMeters replicaMeters;
    private final PolicyInForce policyInForce;
    private final Stores stores;

    BatchListeners(ServerContext context, Stores stores) {
        this.stores = stores;
        Config config = context.config();
        ClusterState state = stores.engines.mirror().state();
        meters = meters(context.clock());
        poolMeters = new PoolMeters(meters);
        replicaMeters = new ReplicaMeters(meters);
        events = stores.engines.events();
        EventMeters.add(meters, events);
        scores =
                new ScoreService(
                        config.learning().scores(),
                        stores.engines.mirror().learner(),
                        new ScoreMeters(meters));
        startForecaster = startForecaster(context, state);
        recentActivity = new RecentActivity(context.clock());
        idle =
                new IdleWatch(
                        config.scheduler().idle(),
                        state,
                        telemetryGap(config),
                        context.gateway()::report);
        policyInForce = new PolicyInForce(state, config.scheduler().policy(), meters);
        shadowPolicy = shadowPolicy(context);
        policyControl =
                new PolicyControl(
                        policyInForce,
                        shadowPolicy,
                        config.scheduler().policyRules(),
                        context.gateway()::ask,
                        context.clock());
    }

    /// All listeners, in the order in which they receive a batch.
    List<Follower.BatchListener> inOrder(AgentServices agents) {
        return List.of(
                (batch, cycleResult, engine) -> stores.pastJobs.add(batch),
                meters,
                poolMeters,
                replicaMeters,
                recentActivity,
                historyCounts,
                idle,
                scores,
                startForecaster,
                new NodeEventLog(stores.engines.mirror().state()),
                new RemovedNodes(agents::forget),
                policyInForce,
                policyControl,
                shadowPolicy,
                events);
    }

    private static Meters meters(CellClock clock) {
        var meters = new Meters();
        meters.gauge(
                "gpu_scheduler_clock_ahead_seconds",
                "How far the machine's clock is ahead of the scheduler's time.",
                () -> clock.wallAhead().toMillis() / 1000.0);
        return meters;
    }

    private StartForecaster startForecaster(ServerContext context, ClusterState state) {
        Config config = context.config();
        var forecaster =
                new StartForecaster(
                        context.engineConfig().settings(),
                        config.learning().outlook(),
                        context.clock(),
                        modelCopies,
                        config.dataDir());
        forecaster.resume(state);
        meters.gauge(
                "gpu_scheduler_eta_coverage_ratio",
                "Share of started jobs that started within their first estimated range.",
                forecaster::coverage);
        return forecaster;
    }

    private ShadowPolicy shadowPolicy(ServerContext context) {
        SchedulerSection section = context.config().scheduler();
        var choice = new ShadowChoice(section.shadowPolicy(), section.policyRules());
        var shadow =
                new ShadowPolicy(
                        () -> choice.beside(policyInForce.now()),
                        new RecordedConfigs(
                                context.engineConfig().plugins().rules(),
                                context.engineConfig().model()),
                        ShadowPolicy.Limits.USUAL);
        if (!shadow.policy().isEmpty()) {
            shadow.beginningWith(context.engineConfig().beginning(stores.engines.mirror()));
        }
        ShadowMeters.add(meters, shadow);
        return shadow;
    }

    /// Receives the times of the cycles.
    CellThread.CycleListener cycleListener() {
        return new CellThread.CycleListener() {
            @Override
            public void took(int inputs, long nanos) {
                meters.took(inputs, nanos);
                policyControl.cycleTook(inputs, nanos);
            }

            @Override
            public void appended(long nanos) {
                meters.appended(nanos);
                recentActivity.appended(nanos);
            }
        };
    }

    /// A node that sends no telemetry for this long counts as one whose GPU use is unknown.
    private static Duration telemetryGap(Config config) {
        Duration several = config.agent().metrics().multipliedBy(5);
        return several.compareTo(LEAST_TELEMETRY_GAP) < 0 ? LEAST_TELEMETRY_GAP : several;
    }
}
