package io.gpusched.server.http;

import io.gpusched.core.policy.PolicySettings;
import io.gpusched.server.agents.AgentPresence;
import io.gpusched.server.agents.LogSource;
import io.gpusched.server.auth.Authenticator;
import io.gpusched.server.auth.OriginPolicy;
import io.gpusched.server.auth.RateLimit;
import io.gpusched.server.auth.Tokens;
import io.gpusched.server.cell.CommandGateway;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.cell.Liveness;
import io.gpusched.server.config.Config;
import io.gpusched.server.idle.IdleWatch;
import io.gpusched.server.intake.JobIntake;
import io.gpusched.server.intake.TenantIntake;
import io.gpusched.server.learn.ModelCopies;
import io.gpusched.server.learn.ScoreService;
import io.gpusched.server.metrics.ClusterMeters;
import io.gpusched.server.metrics.Meters;
import io.gpusched.server.net.ConnectionBudget;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.PastJobs;
import io.gpusched.server.view.ReasonSource;
import io.gpusched.server.view.StartTimes;
import io.gpusched.server.view.View;
import io.gpusched.server.whatif.ShadowPolicy;
import io.gpusched.server.whatif.WhatIfService;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The REST port and, where it is wanted, the port for measurements alone.
public final class RestPorts implements AutoCloseable {
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer api;
    private final @Nullable HttpServer metrics;

    /// What the pages need to know.
    public record Parts(
            CommandGateway commandGateway,
            Follower follower,
            PastJobs pastJobs,
            JobIntake jobs,
            TenantIntake tenants,
            Tokens tokens,
            Authenticator authenticator,
            RateLimit rate,
            Liveness liveness,
            LogSource logs,
            LatestReadings latestReadings,
            AgentPresence agentPresence,
            IdleWatch idle,
            StartTimes startTimes,
            Meters meters,
            ClusterMeters clusterMeters,
            ScoreService desk,
            ModelCopies copies,
            ShadowPolicy shadowPolicy,
            WhatIfService whatIf,
            PolicySettings rules,
            String version,
            InstantSource clock) {}

    private RestPorts(HttpServer api, @Nullable HttpServer metrics) {
        this.api = api;
        this.metrics = metrics;
    }

    /// @param budget how many connections each port may hold
    /// @param onDeath hears why when a port can no longer accept connections
    public static RestPorts start(
            Config config, Parts parts, ConnectionBudget budget, Consumer<Throwable> onDeath) {
        var api =
                HttpServer.start(
                        config.api(),
                        new HttpServer.Port(
                                config.api().httpPort(), "--http-port", budget.rest(), onDeath),
                        door(config, parts, routes(config, parts)));
        parts.liveness().watch(api::trouble);
        if (!config.metrics().enabled()) {
            return new RestPorts(api, null);
        }
        try {
            var metrics =
                    HttpServer.start(
                            config.api(),
                            new HttpServer.Port(
                                    config.metrics().port(),
                                    "--metrics-port",
                                    budget.metrics(),
                                    onDeath),
                            door(config, parts, List.of(measurements(config, parts))));
            parts.liveness().watch(metrics::trouble);
            return new RestPorts(api, metrics);
        } catch (RuntimeException e) {
            api.close();
            throw e;
        }
    }

    static List<Route> routes(Config config, Parts parts) {
        var routes = new ArrayList<>(Routes.of(pages(config, parts)));
        if (config.metrics().enabled()) {
            routes.add(measurements(config, parts));
        }
        return routes;
    }

    private static Route measurements(Config config, Parts parts) {
        return Routes.metrics(
                config.metrics().path(),
                config.metrics().open(),
                request -> text(parts.clusterMeters().text()));
    }

    private static RequestHandler door(Config config, Parts parts, List<Route> routes) {
        return new RequestHandler(
                new RouteTable(routes),
                parts.authenticator(),
                new OriginPolicy(config.api()),
                parts.rate(),
                parts.meters()::answered,
                config.api().maxRequestBytes());
    }

    private static Routes.Handlers pages(Config config, Parts parts) {
        Supplier<View> views = parts.follower()::view;
        var commandSender = new CommandSender(parts.commandGateway());
        var lookups = new Lookups(views, parts.pastJobs());
        var requestBodies = new RequestBodies(config.api().maxRequestBytes());
        return new Routes.Handlers(
                new SubmissionHandler(
                        parts.jobs(),
                        requestBodies,
                        commandSender,
                        parts.follower(),
                        reasons(parts),
                        parts.clock()),
                jobHandlers(parts, lookups, requestBodies, commandSender),
                new JobHistoryHandlers(
                        parts.follower(), parts.pastJobs(), lookups, reasons(parts), parts.clock()),
                new JobLogHandler(lookups, parts.pastJobs(), parts.logs()),
                new TenantHandlers(
                        views,
                        lookups,
                        parts.tenants(),
                        requestBodies,
                        commandSender,
                        parts.tokens(),
                        config.scheduler().gpuMemoryPerGpu()),
                new TokenHandlers(lookups, parts.tokens()),
                new NodeHandlers(
                        views,
                        lookups,
                        parts.latestReadings(),
                        parts.agentPresence(),
                        requestBodies,
                        commandSender),
                new ClusterHandler(views),
                new FairShareHandler(
                        parts.follower(), config.scheduler().fairShareSettings(), parts.clock()),
                new IdleHandler(parts.idle(), views, parts.clock()),
                new DefragHandlers(parts.follower(), parts.clock()),
                new MarketHandlers(parts.follower(), requestBodies, commandSender),
                new WhatIfHandlers(
                        parts.whatIf(), parts.shadowPolicy(), parts.rules(), requestBodies),
                new HealthHandlers(parts.liveness()),
                new ScoreHandlers(parts.desk(), requestBodies, commandSender),
                new ModelHandlers(
                        parts.follower(),
                        parts.copies(),
                        parts.desk(),
                        requestBodies,
                        commandSender),
                new AboutHandlers(
                        parts.version(), parts.desk().settings(), config.learning().retention()));
    }

    private static ReasonSource reasons(Parts parts) {
        Follower follower = parts.follower();
        return new ReasonSource(
                follower::view, follower.latestTurns(), parts.startTimes(), parts.clock());
    }

    private static JobHandlers jobHandlers(
            Parts parts, Lookups lookups, RequestBodies requestBodies, CommandSender sender) {
        return new JobHandlers(
                reasons(parts),
                lookups,
                parts.pastJobs(),
                parts.clock(),
                requestBodies,
                sender,
                parts.jobs());
    }

    private static Response text(String measurements) {
        return new Response.Complete(
                200, PROMETHEUS, measurements.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    public String url() {
        return api.url();
    }

    /// Where measurements are shown; the REST port where there is no other.
    public String metricsUrl() {
        return (metrics == null ? api : metrics).url();
    }

    @Override
    public void close() {
        api.close();
        if (metrics != null) {
            metrics.close();
        }
    }
}
