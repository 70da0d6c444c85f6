package io.gpusched.operator.pools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;
import io.gpusched.operator.kube.DeleteOptions;
import io.gpusched.operator.kube.EventRecorder;
import io.gpusched.operator.kube.HttpKubeApi;
import io.gpusched.operator.kube.KubeApi.PatchKind;
import io.gpusched.operator.kube.ListQuery;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.kube.fake.FakeApiServer;
import io.gpusched.operator.scheduler.SchedulerRequests;
import io.gpusched.server.Server;
import io.gpusched.server.auth.Tokens;
import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.ConfigReader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// An API server, a scheduler and a reconciler between them, which takes a turn when the test says
/// so. Time passes by the turn: a few seconds each.
final class PoolsFixture implements AutoCloseable {
    static final String CLUSTER = "cluster-uid";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ResourceType DEFINITIONS =
            new ResourceType(
                    "apiextensions.k8s.io",
                    "v1",
                    "customresourcedefinitions",
                    "CustomResourceDefinition",
                    false);

    final FakeApiServer cluster = FakeApiServer.start();
    final HttpKubeApi api = new HttpKubeApi(cluster.config());
    private final Path data;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<ObjectKey, String> versions = new HashMap<>();
    private final List<String> events = new ArrayList<>();
    private Server scheduler;
    private PoolReconciler reconciler;
    private Instant now = Instant.now();
    private URI url;
    private String token;

    PoolsFixture(Path data) {
        this.data = data;
        PublishedManifests.definitions()
                .values()
                .forEach(each -> api.create(DEFINITIONS, "", each));
        this.scheduler = scheduler(0);
        this.url = URI.create(scheduler.url());
        this.token = token(scheduler);
        this.reconciler = reconciler(PoolSettings.of(CLUSTER, Map.of()));
    }

    private Server scheduler(int port) {
        Arguments arguments =
                Arguments.of(
                        "--data-dir",
                        data.toString(),
                        "--http-port",
                        Integer.toString(port),
                        "--grpc-port",
                        "0",
                        "--metrics-port",
                        "0");
        return Server.start(
                ConfigReader.read(arguments, Map.of()),
                death -> {
                    throw new AssertionError(death);
                });
    }

    private static String token(Server server) {
        try {
            return Files.readString(Tokens.adminFile(server.config().dataDir())).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// As the operator has it, with threads of its own.
    PoolController controller() {
        return new PoolController(
                api,
                new RestPoolServer(http, url, () -> token),
                tenants(),
                new EventRecorder(api, "test", "1"),
                PoolSettings.of(CLUSTER, Map.of()));
    }

    private NamespaceTenants tenants() {
        var requests = new SchedulerRequests(url, () -> token, null);
        return namespace -> {
            String problem = requests.ensureTenant(namespace, namespace);
            if (!problem.isEmpty()) {
                throw new IllegalArgumentException(problem);
            }
            return namespace;
        };
    }

    private PoolReconciler reconciler(PoolSettings settings) {
        return new PoolReconciler(
                api,
                new RestPoolServer(http, url, () -> token),
                tenants(),
                (about, type, reason, message) -> events.add(reason + ": " + message),
                settings);
    }

    /// Another operator takes over.
    void restartOperator() {
        reconciler = reconciler(PoolSettings.of(CLUSTER, Map.of()));
        versions.clear();
    }

    void stopScheduler() {
        scheduler.close();
    }

    void startScheduler() {
        scheduler = scheduler(url.getPort());
        token = token(scheduler);
    }

    /// Applies manifests to a namespace.
    void apply(String namespace, String yaml) {
        if (cluster.find(ResourceType.NAMESPACES, "", namespace) == null) {
            String object = "metadata: {name: " + namespace + "}";
            api.create(ResourceType.NAMESPACES, "", KubeYaml.object(object));
        }
        for (ObjectNode document : PublishedManifests.documents(yaml)) {
            document.withObjectProperty("metadata").put("namespace", namespace);
            ResourceType type = kind(document).type();
            String name = document.at("/metadata/name").asText();
            if (cluster.find(type, namespace, name) == null) {
                api.create(type, namespace, document);
            } else {
                api.patch(type, namespace, name, "", PatchKind.MERGE, document);
            }
        }
    }

    private static PoolKind kind(JsonNode document) {
        for (PoolKind kind : PoolKind.values()) {
            if (kind.text().equals(document.path("kind").asText())) {
                return kind;
            }
        }
        throw new IllegalArgumentException(document.toString());
    }

    void delete(PoolKind kind, String namespace, String name) {
        api.delete(kind.type(), namespace, name, DeleteOptions.only(""));
    }

    ObjectNode object(PoolKind kind, String namespace, String name) {
        ObjectNode found = cluster.find(kind.type(), namespace, name);
        return found == null ? KubeYaml.object("{}") : found;
    }

    JsonNode pool(String namespace, String name) {
        return object(PoolKind.AGENT_POOL, namespace, name);
    }

    /// `status reason: message` of a condition; empty where the object does not have it.
    static String condition(JsonNode object, String type) {
        for (JsonNode each : object.at("/status/conditions")) {
            if (each.path("type").asText().equals(type)) {
                return "%s %s: %s"
                        .formatted(
                                each.path("status").asText(),
                                each.path("reason").asText(),
                                each.path("message").asText());
            }
        }
        return "";
    }

    /// All events so far, as `Refused: words`.
    List<String> events() {
        return List.copyOf(events);
    }

    /// Some turns, in which everything settles that can.
    void turns() {
        turns(5, Duration.ofSeconds(5));
    }

    void turns(int count, Duration apart) {
        for (int i = 0; i < count; i++) {
            tell();
            now = now.plus(apart);
            reconciler.turn(now);
        }
    }

    /// So late that nothing waits any more. The API server has the real time, so that is meant.
    void later() {
        now = Instant.now().plus(Duration.ofHours(1));
    }

    /// What a watch would tell.
    private void tell() {
        Set<ObjectKey> there = new HashSet<>();
        for (PoolKind kind : PoolKind.values()) {
            for (ObjectNode object : api.list(kind.type(), ListQuery.all()).items()) {
                ObjectKey key = ObjectKey.of(kind, object);
                there.add(key);
                String version = object.at("/metadata/resourceVersion").asText();
                if (!version.equals(versions.put(key, version))) {
                    reconciler.put(kind, object, now);
                }
            }
            reconciler.listed(kind);
        }
        for (ObjectKey gone : Set.copyOf(versions.keySet())) {
            if (!there.contains(gone)) {
                versions.remove(gone);
                reconciler.remove(gone.kind(), gone.namespace(), gone.name());
            }
        }
    }

    /// Asks the scheduler as an administrator; missing where it knows no such thing.
    JsonNode ask(String path) {
        return ask("GET", path, "");
    }

    JsonNode ask(String method, String path, String body) {
        try {
            var request =
                    HttpRequest.newBuilder(url.resolve(path))
                            .header("Authorization", "Bearer " + token)
                            .method(method, HttpRequest.BodyPublishers.ofString(body))
                            .build();
            var answer = http.send(request, BodyHandlers.ofByteArray());
            return answer.statusCode() / 100 == 2
                    ? JSON.readTree(answer.body())
                    : JSON.missingNode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        scheduler.close();
        api.close();
        cluster.close();
    }
}
