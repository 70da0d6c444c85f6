package io.gpusched.server.http;

import static io.gpusched.server.http.Route.Audience.ADMIN;
import static io.gpusched.server.http.Route.Audience.ANYBODY;

import io.gpusched.server.auth.Access;
import io.gpusched.server.auth.OriginPolicy;
import io.gpusched.server.cell.Liveness;
import io.gpusched.server.config.Config;
import io.gpusched.server.metrics.ClusterMeters;
import io.gpusched.server.net.ConnectionBudget;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The HTTP ports: the REST API and, if metrics are enabled, a port that serves only metrics. The
/// REST port serves metrics too.
public final class RestPorts implements AutoCloseable {
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer api;
    private final @Nullable HttpServer metrics;

    /// What the REST port serves.
    ///
    /// @param listeners of live events over WebSockets
    public record Endpoints(List<Route> routes, ListenerLimit listeners) {
        public Endpoints {
            routes = List.copyOf(routes);
        }
    }

    private RestPorts(HttpServer api, @Nullable HttpServer metrics) {
        this.api = api;
        this.metrics = metrics;
    }

    /// Opens the ports. `liveness` watches them and learns if one can no longer accept connections.
    ///
    /// @param endpoints of the REST API, without metrics
    /// @param budget how many connections each port may hold
    public static RestPorts start(
            Config config,
            Endpoints endpoints,
            Access access,
            ClusterMeters meters,
            ConnectionBudget budget,
            Liveness liveness) {
        var api =
                HttpServer.start(
                        config.api(),
                        new HttpServer.Port(
                                config.api().httpPort(),
                                "--http-port",
                                budget.rest(),
                                liveness::died),
                        api(config, endpoints, access, meters));
        liveness.watch(api::trouble);
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
                                    liveness::died),
                            new HttpServer.Service(
                                    handler(
                                            config,
                                            admission(config, access),
                                            meters,
                                            List.of(metrics(config, meters))),
                                    List.of()));
            liveness.watch(metrics::trouble);
            return new RestPorts(api, metrics);
        } catch (RuntimeException e) {
            api.close();
            throw e;
        }
    }

    /// Every route of the REST port.
    static List<Route> withMetrics(Config config, List<Route> routes, ClusterMeters meters) {
        var all = new ArrayList<>(routes);
        if (config.metrics().enabled()) {
            all.add(metrics(config, meters));
        }
        return all;
    }

    private static Route metrics(Config config, ClusterMeters meters) {
        return new Route(
                "GET",
                config.metrics().path(),
                config.metrics().open() ? ANYBODY : ADMIN,
                request -> text(meters.text()));
    }

    private static HttpServer.Service api(
            Config config, Endpoints endpoints, Access access, ClusterMeters meters) {
        Admission admission = admission(config, access);
        var events = new EventSocketUpgrade(admission, endpoints.listeners, meters::answered);
        return new HttpServer.Service(
                handler(config, admission, meters, withMetrics(config, endpoints.routes, meters)),
                List.of(events));
    }

    private static Admission admission(Config config, Access access) {
        return Admission.of(access, new OriginPolicy(config.api()));
    }

    private static RequestHandler handler(
            Config config, Admission admission, ClusterMeters meters, List<Route> routes) {
        return new RequestHandler(
                new RouteTable(routes),
                admission,
                meters::answered,
                config.api().maxRequestBytes());
    }

    private static Response text(String metrics) {
        return new Response.Complete(
                200, PROMETHEUS, metrics.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    public String url() {
        return api.url();
    }

    /// The URL of the port that serves metrics: the REST port if there is no other.
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
