package io.gpusched.server.http;

import io.gpusched.core.policy.PolicySettings;
import io.gpusched.server.agents.LogSource;
import io.gpusched.server.agents.Presence;
import io.gpusched.server.auth.Access;
import io.gpusched.server.auth.Doorway;
import io.gpusched.server.auth.RateLimit;
import io.gpusched.server.auth.Tokens;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.cell.Inlet;
import io.gpusched.server.cell.Pulse;
import io.gpusched.server.config.Config;
import io.gpusched.server.idle.IdleWatch;
import io.gpusched.server.intake.JobIntake;
import io.gpusched.server.intake.TenantIntake;
import io.gpusched.server.learn.ModelCopies;
import io.gpusched.server.learn.ScoreDesk;
import io.gpusched.server.metrics.ClusterMeters;
import io.gpusched.server.metrics.Meters;
import io.gpusched.server.net.ConnectionBudget;
import io.gpusched.server.view.Past;
import io.gpusched.server.view.Readings;
import io.gpusched.server.view.Starts;
import io.gpusched.server.view.View;
import io.gpusched.server.whatif.Shadow;
import io.gpusched.server.whatif.WhatIfDesk;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The REST port and, where it is wanted, the port for measurements alone.
public final class Web implements AutoCloseable {
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer api;
    private final @Nullable HttpServer metrics;

    /// What the pages need to know.
    public record Parts(
            Inlet inlet,
            Follower follower,
            Past past,
            JobIntake jobs,
            TenantIntake tenants,
            Tokens tokens,
            Access access,
            RateLimit rate,
            Pulse pulse,
            LogSource logs,
            Readings readings,
            Presence presence,
            IdleWatch idle,
            Starts starts,
            Meters meters,
            ClusterMeters clusterMeters,
            ScoreDesk desk,
            ModelCopies copies,
            Shadow shadow,
            WhatIfDesk whatIf,
            PolicySettings rules,
            String version,
            InstantSource clock) {}

    private Web(HttpServer api, @Nullable HttpServer metrics) {
        this.api = api;
        this.metrics = metrics;
    }

    /// @param budget how many connections each port may hold
    /// @param onDeath hears why when a port can no longer accept connections
    public static Web start(
            Config config, Parts parts, ConnectionBudget budget, Consumer<Throwable> onDeath) {
        var api =
                HttpServer.start(
                        config.api(),
                        new HttpServer.Port(
                                config.api().httpPort(), "--http-port", budget.rest(), onDeath),
                        door(config, parts, routes(config, parts)));
        parts.pulse().watch(api::trouble);
        if (!config.metrics().enabled()) {
            return new Web(api, null);
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
            parts.pulse().watch(metrics::trouble);
            return new Web(api, metrics);
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
                asked -> text(parts.clusterMeters().text()));
    }

    private static Door door(Config config, Parts parts, List<Route> routes) {
        return new Door(
                new RouteTable(routes),
                parts.access(),
                new Doorway(config.api()),
                parts.rate(),
                parts.meters()::answered,
                config.api().maxRequestBytes());
    }

    private static Routes.Pages pages(Config config, Parts parts) {
        Supplier<View> views = parts.follower()::view;
        var commands = new Commands(parts.inlet());
        var lookups = new Lookups(views, parts.past());
        var bodies = new Bodies(config.api().maxRequestBytes());
        return new Routes.Pages(
                new Submission(parts.jobs(), bodies, commands, parts.follower(), parts.clock()),
                new JobPages(
                        views,
                        lookups,
                        parts.follower().tries(),
                        parts.past(),
                        parts.starts(),
                        parts.clock(),
                        bodies,
                        commands,
                        parts.jobs()),
                new JobStories(
                        parts.follower(), parts.past(), lookups, parts.starts(), parts.clock()),
                new JobLogs(lookups, parts.past(), parts.logs()),
                new TenantPages(
                        views,
                        lookups,
                        parts.tenants(),
                        bodies,
                        commands,
                        parts.tokens(),
                        config.scheduler().gpuMemoryPerGpu()),
                new TokenPages(lookups, parts.tokens()),
                new NodePages(views, lookups, parts.readings(), parts.presence(), bodies, commands),
                new ClusterPage(views),
                new FairSharePage(parts.follower(), config.scheduler().fairShare(), parts.clock()),
                new IdlePage(parts.idle(), views, parts.clock()),
                new AdvicePages(parts.follower(), parts.clock()),
                new MarketPages(parts.follower(), bodies, commands),
                new WhatIfPages(parts.whatIf(), parts.shadow(), parts.rules(), bodies),
                new HealthPages(parts.pulse()),
                new ScorePages(parts.desk(), bodies, commands),
                new ModelPages(parts.follower(), parts.copies(), parts.desk(), bodies, commands),
                new AboutPages(
                        parts.version(), parts.desk().settings(), config.learning().retention()));
    }

    private static Reply text(String measurements) {
        return new Reply.Whole(
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
