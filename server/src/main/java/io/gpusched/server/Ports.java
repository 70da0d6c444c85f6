package io.gpusched.server;

import io.gpusched.server.auth.Access;
import io.gpusched.server.config.Config;
import io.gpusched.server.grpc.GrpcPort;
import io.gpusched.server.grpc.PoolCalls;
import io.gpusched.server.grpc.PoolReports;
import io.gpusched.server.grpc.SchedulerCalls;
import io.gpusched.server.history.HistoryReader;
import io.gpusched.server.history.PoolHistoryReader;
import io.gpusched.server.http.AlertRoutes;
import io.gpusched.server.http.ClusterRoutes;
import io.gpusched.server.http.EventRoutes;
import io.gpusched.server.http.HandlerContext;
import io.gpusched.server.http.JobRoutes;
import io.gpusched.server.http.LearningRoutes;
import io.gpusched.server.http.ListenerLimit;
import io.gpusched.server.http.OverviewRoutes;
import io.gpusched.server.http.PageRoutes;
import io.gpusched.server.http.PolicyRoutes;
import io.gpusched.server.http.PoolRoutes;
import io.gpusched.server.http.RestPorts;
import io.gpusched.server.http.Route;
import io.gpusched.server.http.ServiceRoutes;
import io.gpusched.server.http.TenantRoutes;
import io.gpusched.server.http.WhatIfRoutes;
import io.gpusched.server.intake.JobIntake;
import io.gpusched.server.intake.ManifestIntake;
import io.gpusched.server.intake.PoolIntake;
import io.gpusched.server.intake.TenantIntake;
import io.gpusched.server.metrics.ClusterMeters;
import io.gpusched.server.metrics.EfficiencyMeters;
import io.gpusched.server.net.ConnectionBudget;
import io.gpusched.server.view.PastRuns;

import java.util.List;
import java.util.stream.Stream;

/// The ports on which a server listens: gRPC, REST and, where configured, metrics.
final class Ports {
    final GrpcPort grpc;
    final RestPorts rest;
    private final ServerContext context;
    private final CellParts cell;
    private final JobIntake jobs;
    private final TenantIntake tenants;
    private final PoolIntake pools;
    private final ManifestIntake manifests;
    private final TelemetryReadings readings;
    private final ListenerLimit listenerLimit;

    /// Opens all ports. Every other part must have been started.
    Ports(
            ServerContext context,
            Access access,
            Stores stores,
            BatchListeners listeners,
            CellParts cell,
            BackgroundServices background) {
        this.context = context;
        this.cell = cell;
        Config config = context.config();
        jobs = new JobIntake(config.scheduler(), cell.follower::view, context.gateway());
        tenants = new TenantIntake(context.gateway(), context.clock());
        pools =
                new PoolIntake(
                        jobs, cell.follower::view, context.gateway(), config.api().tenantKafka());
        manifests =
                new ManifestIntake(
                        config.api().maxRequestBytes(),
                        jobs,
                        pools,
                        cell.follower::view,
                        context.gateway());
        readings = new TelemetryReadings(cell.agents.telemetry());
        var meters =
                new ClusterMeters(
                        listeners.meters,
                        cell.follower::view,
                        readings,
                        () -> listeners.idle.idleGpus(context.clock().instant()),
                        context.clock());
        listeners.poolMeters.show(cell.follower::view, readings, context.clock());
        listeners.replicaMeters.show(context.clock());
        EfficiencyMeters.add(listeners.meters, cell.follower::view, readings, context.clock());
        var budget = ConnectionBudget.ofThisProcess();
        listenerLimit = ListenerLimit.of(listeners.events, budget.rest());
        grpc = context.shutdown().add(grpc(access, stores, listeners, meters, budget));
        rest =
                context.shutdown()
                        .add(
                                RestPorts.start(
                                        config,
                                        new RestPorts.Endpoints(
                                                routes(access, stores, listeners, background),
                                                listenerLimit),
                                        access,
                                        meters,
                                        budget,
                                        context.liveness()));
        // Before the ports close: a port waits for the answers that are being written.
        context.shutdown().add(listeners.events::endStreams);
    }

    private GrpcPort grpc(
            Access access,
            Stores stores,
            BatchListeners listeners,
            ClusterMeters meters,
            ConnectionBudget budget) {
        var calls =
                new SchedulerCalls(
                        context.gateway(),
                        cell.follower,
                        jobs,
                        tenants,
                        meters,
                        context.config().api().maxRequestBytes(),
                        listeners.startForecaster,
                        stores.pastJobs,
                        listeners.policyControl,
                        context.engineConfig().settings().policy(),
                        context.clock());
        var poolCalls =
                new PoolCalls(
                        context.gateway(),
                        pools,
                        new PoolReports(
                                cell.follower,
                                new PoolHistoryReader(stores.history, context.clock()),
                                stores.pastJobs,
                                context.clock()),
                        context.config().api().maxRequestBytes(),
                        context.clock());
        return GrpcPort.start(
                context.config().api(),
                List.of(
                        cell.agents.service(),
                        calls.service(access.authenticator(), access.rateLimit()),
                        poolCalls.service(access.authenticator(), access.rateLimit())),
                budget.grpc());
    }

    private List<Route> routes(
            Access access, Stores stores, BatchListeners listeners, BackgroundServices background) {
        Config config = context.config();
        var handlers =
                new HandlerContext(
                        context.gateway(),
                        cell.follower,
                        stores.pastJobs,
                        config.api().maxRequestBytes(),
                        context.clock());
        return Stream.of(
                        JobRoutes.of(handlers, jobs, listeners.startForecaster, cell.agents.logs()),
                        TenantRoutes.of(
                                handlers,
                                tenants,
                                access.tokens(),
                                config.scheduler().gpuMemoryPerGpu()),
                        ClusterRoutes.of(
                                handlers,
                                readings,
                                cell.agents,
                                listeners.idle,
                                config.scheduler().fairShareSettings()),
                        OverviewRoutes.of(
                                handlers, overview(stores), config.api().auth(), Version.current()),
                        WhatIfRoutes.of(
                                handlers,
                                background.whatIf,
                                listeners.shadowPolicy,
                                background.scalerShadow,
                                context.engineConfig().settings().policy()),
                        AlertRoutes.of(handlers, background.alerts, background.webhooks),
                        PolicyRoutes.of(
                                handlers,
                                listeners.policyControl,
                                context.engineConfig().settings().policy()),
                        EventRoutes.of(listeners.events, listenerLimit, listeners.policyControl),
                        LearningRoutes.of(handlers, listeners.scores, listeners.modelCopies),
                        PoolRoutes.of(
                                handlers,
                                pools,
                                manifests,
                                new PoolHistoryReader(stores.history, context.clock()),
                                listeners.startForecaster),
                        PageRoutes.all(),
                        ServiceRoutes.of(
                                context.liveness(),
                                Version.current(),
                                listeners.scores.settings(),
                                config.learning().retention()))
                .flatMap(List::stream)
                .toList();
    }

    private OverviewRoutes.Sources overview(Stores stores) {
        return new OverviewRoutes.Sources(
                readings,
                context.config().topology().topologyLevels(),
                new HistoryReader(stores.history, context.clock()),
                new PastRuns(cell.follower::view, stores.pastJobs, stores.runs));
    }
}
