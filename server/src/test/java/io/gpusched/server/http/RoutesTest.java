package io.gpusched.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.learn.Learner;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.server.agents.AgentPresence;
import io.gpusched.server.agents.LogSource;
import io.gpusched.server.alert.AlertBook;
import io.gpusched.server.alert.AlertFile;
import io.gpusched.server.alert.AlertWatch;
import io.gpusched.server.auth.Tokens;
import io.gpusched.server.cell.CommandGateway;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.cell.Liveness;
import io.gpusched.server.cell.QueryFollower;
import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.Config;
import io.gpusched.server.config.ConfigReader;
import io.gpusched.server.history.HistoryReader;
import io.gpusched.server.history.PoolHistoryReader;
import io.gpusched.server.idle.IdleWatch;
import io.gpusched.server.intake.JobIntake;
import io.gpusched.server.intake.ManifestIntake;
import io.gpusched.server.intake.PoolIntake;
import io.gpusched.server.intake.TenantIntake;
import io.gpusched.server.learn.ModelCopies;
import io.gpusched.server.learn.ScoreService;
import io.gpusched.server.live.EventFeed;
import io.gpusched.server.metrics.ClusterMeters;
import io.gpusched.server.metrics.Meters;
import io.gpusched.server.metrics.ScoreMeters;
import io.gpusched.server.policy.PolicyControl;
import io.gpusched.server.policy.PolicyInForce;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.PastJobs;
import io.gpusched.server.view.PastRuns;
import io.gpusched.server.webhook.Webhooks;
import io.gpusched.server.whatif.ScalerShadow;
import io.gpusched.server.whatif.ShadowPolicy;
import io.gpusched.server.whatif.WhatIfService;
import io.gpusched.store.Database;
import io.gpusched.store.HistoryTables;
import io.gpusched.store.JobHistory;
import io.gpusched.store.StoreHealth;
import io.gpusched.store.StoredRuns;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;

final class RoutesTest {
    private static final Pattern NAME = Pattern.compile("\\{([a-z]+)}");

    private final JsonNode document = document();

    @TempDir Path dataDir;

    @Test
    void theOpenApiDocumentDescribesExactlyTheRoutesThereAre() {
        var described = new TreeSet<String>();
        document.get("paths")
                .properties()
                .forEach(
                        path ->
                                path.getValue()
                                        .fieldNames()
                                        .forEachRemaining(
                                                method ->
                                                        described.add(
                                                                path.getKey()
                                                                        + " "
                                                                        + method.toUpperCase(
                                                                                Locale.ROOT))));
        var routed = new TreeSet<String>();
        for (Route route : allRoutes()) {
            routed.add(route.path() + " " + route.method());
        }
        assertThat(described).isEqualTo(routed);
    }

    @Test
    void everyNameInAPathIsDescribedAsAParameter() {
        document.get("paths")
                .properties()
                .forEach(
                        path -> {
                            var names = new ArrayList<String>();
                            var matcher = NAME.matcher(path.getKey());
                            while (matcher.find()) {
                                names.add(matcher.group(1));
                            }
                            path.getValue()
                                    .forEach(
                                            operation ->
                                                    assertThat(pathParameters(operation))
                                                            .as(path.getKey())
                                                            .containsExactlyElementsOf(names));
                        });
    }

    @Test
    void everyReferenceLeadsSomewhere() {
        for (JsonNode reference : document.findValues("$ref")) {
            String pointer = reference.asText().substring(1);
            assertThat(document.at(pointer).isMissingNode()).as(pointer).isFalse();
        }
    }

    @Test
    void openRoutesAndNoOthersAreDescribedAsSuch() {
        for (Route route : allRoutes()) {
            JsonNode operation =
                    document.get("paths")
                            .get(route.path())
                            .get(route.method().toLowerCase(Locale.ROOT));
            assertThat(operation.has("security"))
                    .as(route.toString())
                    .isEqualTo(route.audience() == Route.Audience.ANYBODY);
        }
    }

    @Test
    void aFixedSegmentWinsOverANamedOne() {
        var table =
                new RouteTable(
                        List.of(
                                route("GET", "/a/{id}"),
                                route("GET", "/a/fixed"),
                                route("POST", "/a/{id}/b")));

        assertThat(table.find("GET", "/a/fixed").names()).isEmpty();
        assertThat(table.find("GET", "/a/other").names()).isEqualTo(Map.of("id", "other"));
        assertThat(table.find("POST", "/a/x/b/").names()).isEqualTo(Map.of("id", "x"));
    }

    @Test
    void anUnknownRouteIs404AndAnUnknownMethodIs405() {
        var table = new RouteTable(List.of(route("GET", "/a"), route("POST", "/a")));

        assertThatThrownBy(() -> table.find("GET", "/b"))
                .isInstanceOfSatisfying(
                        HttpError.class,
                        httpError -> assertThat(httpError.status()).isEqualTo(404));
        assertThatThrownBy(() -> table.find("PUT", "/a"))
                .isInstanceOfSatisfying(
                        HttpError.class,
                        httpError -> {
                            assertThat(httpError.status()).isEqualTo(405);
                            assertThat(httpError.json().toString()).contains("it takes GET, POST");
                        });
    }

    private List<Route> allRoutes() {
        Config config = ConfigReader.read(Arguments.of(), Map.of());
        var settings = EngineSettings.DEFAULT;
        var policy = Objects.requireNonNull(Policies.named("priority", settings.policy()));
        var queries = new QueryFollower(() -> new Engine(policy, settings), List.of(), death -> {});
        var follower = new Follower(new Engine(policy, settings), queries, List.of(), death -> {});
        var tokens = Tokens.open(dataDir);
        var gateway = new CommandGateway();
        var meters = new Meters();
        LatestReadings latestReadings = (node, index) -> LatestReadings.Gpu.UNKNOWN;
        var past = new PastJobs(new JobHistory(new Database.Sqlite(dataDir)), () -> 0);
        var clock = InstantSource.system();
        var context = new HandlerContext(gateway, follower, past, 1 << 20, clock);
        var scores =
                new ScoreService(
                        config.learning().scores(), new Learner(), new ScoreMeters(meters));
        var jobs = new JobIntake(config.scheduler(), follower::view, gateway);
        LogSource logs = (log, offset, most, wait) -> new LogSource.Fetched.Unavailable("none");
        var routes = new ArrayList<Route>();
        routes.addAll(JobRoutes.of(context, jobs, job -> null, logs));
        routes.addAll(TenantRoutes.of(context, new TenantIntake(gateway, clock), tokens, false));
        routes.addAll(
                ClusterRoutes.of(
                        context,
                        latestReadings,
                        new NoAgents(),
                        idleWatch(config, new Engine(policy, settings)),
                        config.scheduler().fairShareSettings()));
        routes.addAll(overview(config, context, latestReadings));
        var shadow = new ShadowPolicy(() -> "", text -> null, ShadowPolicy.Limits.USUAL);
        var rules = config.scheduler().policyRules();
        var inForce = new PolicyInForce(new Engine(policy, settings).state(), "priority", meters);
        routes.addAll(
                WhatIfRoutes.of(
                        context, whatIf(clock), shadow, scalerShadow(), PolicySettings.DEFAULT));
        routes.addAll(AlertRoutes.of(context, alertWatch(clock), webhooks(clock)));
        var policyControl = new PolicyControl(inForce, shadow, rules, gateway::ask, clock);
        routes.addAll(PolicyRoutes.of(context, policyControl, PolicySettings.DEFAULT));
        var feed = new EventFeed(new Engine(policy, settings).state(), 0, "");
        routes.addAll(EventRoutes.of(feed, ListenerLimit.of(feed, 100), policyControl));
        routes.addAll(LearningRoutes.of(context, scores, new ModelCopies()));
        routes.addAll(pools(context, jobs, gateway));
        routes.addAll(ServiceRoutes.of(new Liveness(death -> {}), "test", scores.settings(), 1));
        return RestPorts.withMetrics(
                config,
                routes,
                new ClusterMeters(
                        meters, follower::view, latestReadings, () -> 0, InstantSource.system()));
    }

    private List<Route> pools(HandlerContext context, JobIntake jobs, CommandGateway gateway) {
        var intake = new PoolIntake(jobs, context.views, gateway, false);
        var tables = new HistoryTables(new Database.Sqlite(dataDir), StoreHealth.UNHEARD);
        return PoolRoutes.of(
                context,
                intake,
                new ManifestIntake(1 << 20, jobs, intake, context.views, gateway),
                new PoolHistoryReader(tables, context.clock),
                job -> null);
    }

    private static IdleWatch idleWatch(Config config, Engine engine) {
        return new IdleWatch(
                config.scheduler().idle(),
                engine.state(),
                Duration.ofMinutes(1),
                (report, wanted, settled) -> {});
    }

    private static WhatIfService whatIf(InstantSource clock) {
        return new WhatIfService(
                () -> {
                    throw new IllegalStateException("no route is called");
                },
                fingerprint -> null,
                clock);
    }

    private static ScalerShadow scalerShadow() {
        return new ScalerShadow(
                () -> {
                    throw new IllegalStateException("no route is called");
                },
                (history, at) -> null,
                fingerprint -> null,
                List.of(),
                new ScalerShadow.Limits(Duration.ofSeconds(1), 1));
    }

    private AlertWatch alertWatch(InstantSource clock) {
        return new AlertWatch(
                List.of(),
                () -> {
                    throw new IllegalStateException("no route is called");
                },
                new AlertBook(Map.of(), Duration.ZERO, AlertBook.Image.EMPTY),
                new AlertFile(dataDir),
                clock);
    }

    private static Webhooks webhooks(InstantSource clock) {
        return new Webhooks(List.of(), "test", clock, (webhook, result) -> {});
    }

    private List<Route> overview(
            Config config, HandlerContext context, LatestReadings latestReadings) {
        var database = new Database.Sqlite(dataDir);
        var sources =
                new OverviewRoutes.Sources(
                        latestReadings,
                        config.topology().topologyLevels(),
                        new HistoryReader(
                                new HistoryTables(database, StoreHealth.UNHEARD), context.clock),
                        new PastRuns(context.views, context.pastJobs, new StoredRuns(database)));
        return OverviewRoutes.of(context, sources, false, "test");
    }

    private static final class NoAgents implements AgentPresence {
        @Override
        public @Nullable Contact contact(NodeId node) {
            return null;
        }

        @Override
        public void reportIfAway(NodeId node) {}
    }

    private static Route route(String method, String path) {
        return new Route(method, path, Route.Audience.ANYBODY, request -> Response.message(""));
    }

    private static List<String> pathParameters(JsonNode operation) {
        var names = new ArrayList<String>();
        operation
                .path("parameters")
                .forEach(
                        parameter -> {
                            if (parameter.get("in").asText().equals("path")) {
                                names.add(parameter.get("name").asText());
                            }
                        });
        return names;
    }

    private static JsonNode document() {
        try {
            return new ObjectMapper()
                    .readTree(
                            Objects.requireNonNull(
                                    RestPorts.class.getResourceAsStream("openapi.json")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
