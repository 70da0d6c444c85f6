package io.gpusched.operator.kube.fake;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.KubeConfig;
import io.gpusched.operator.kube.ResourceType;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import javax.net.ServerSocketFactory;

/// An API server in this process. See the package for what it is and what it is not.
public final class FakeApiServer implements AutoCloseable {
    private static final int NEWEST = 34;

    private final int minor;
    private final String scheme;
    private final ServedTypes types;
    private final ObjectStore store;
    private final Reads reads;
    private final Writes writes;
    private final AccessRules access = new AccessRules();
    private final Faults faults = new Faults();
    private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
    private final Map<String, String> logs = new ConcurrentHashMap<>();
    private final HttpListener listener;

    private FakeApiServer(int minor, String scheme, ServerSocketFactory sockets) {
        this.minor = minor;
        this.scheme = scheme;
        this.types = new ServedTypes(minor);
        this.store = new ObjectStore(types, minor);
        this.reads = new Reads(store);
        this.writes = new Writes(store, types, minor);
        for (String name : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
            put(ResourceType.NAMESPACES, "{\"metadata\":{\"name\":\"" + name + "\"}}");
        }
        priority("system-cluster-critical", 2_000_000_000);
        priority("system-node-critical", 2_000_001_000);
        this.listener = new HttpListener(this::handle, sockets);
    }

    /// Behaves like a recent version.
    public static FakeApiServer start() {
        return version(NEWEST);
    }

    /// Behaves like version 1.MINOR, as far as that matters here.
    public static FakeApiServer version(int minor) {
        return new FakeApiServer(minor, "http", ServerSocketFactory.getDefault());
    }

    /// @param sockets for TLS
    public static FakeApiServer secure(ServerSocketFactory sockets) {
        return new FakeApiServer(NEWEST, "https", sockets);
    }

    private void priority(String name, int value) {
        ObjectNode priority = JsonNodeFactory.instance.objectNode().put("value", value);
        priority.putObject("metadata").put("name", name);
        create(ResourceType.PRIORITY_CLASSES, priority);
    }

    private void put(ResourceType type, String json) {
        try {
            create(
                    type,
                    (ObjectNode) new com.fasterxml.jackson.databind.ObjectMapper().readTree(json));
        } catch (com.fasterxml.jackson.core.JacksonException e) {
            throw new IllegalStateException(e);
        }
    }

    public URI url() {
        return URI.create(scheme + "://127.0.0.1:" + listener.port());
    }

    /// For somebody who may do everything.
    public KubeConfig config() {
        return config("admin");
    }

    /// @param token as given to [AccessRules#grant]
    public KubeConfig config(String token) {
        return KubeConfig.of(url(), token);
    }

    public Faults faults() {
        return faults;
    }

    public AccessRules access() {
        return access;
    }

    /// How many requests came, by `create pods/binding`.
    public long requests(String kind) {
        LongAdder count = requests.get(kind);
        return count == null ? 0 : count.sum();
    }

    /// How many connections were accepted.
    public long connections() {
        return listener.accepted();
    }

    /// Creates an object as a request would, without the network.
    public ObjectNode create(ResourceType type, ObjectNode object) {
        ServedType served = served(type);
        String namespace = object.path("metadata").path("namespace").asText("");
        object.put("kind", type.kind()).put("apiVersion", type.apiVersion());
        return store.create(served, namespace, object, false, false);
    }

    /// Stores an object, new or not, that nobody has checked: it may be one that cannot be decoded.
    public void plant(ResourceType type, ObjectNode object) {
        ObjectNode copy = object.deepCopy();
        copy.put("kind", type.kind()).put("apiVersion", type.apiVersion());
        store.commit(served(type), copy);
    }

    /// The current state; null if there is no such object. The tree must not be changed.
    public @Nullable ObjectNode find(ResourceType type, String namespace, String name) {
        Stored found = store.find(served(type).storage(), namespace, name);
        return found == null ? null : found.object();
    }

    /// The current state of an object that must exist.
    public ObjectNode require(ResourceType type, String namespace, String name) {
        return store.require(served(type), namespace, name).object();
    }

    /// Removes an object at once, whatever protects it.
    public void erase(ResourceType type, String namespace, String name) {
        store.erase(served(type), namespace, name);
    }

    /// All objects of a type, in the order of namespace and name.
    public List<ObjectNode> all(ResourceType type) {
        return store.all(served(type).storage()).stream().map(Stored::object).toList();
    }

    private ServedType served(ResourceType type) {
        ServedType served = types.find(type.apiVersion(), type.plural());
        if (served == null) {
            throw new IllegalArgumentException("no such type: " + type);
        }
        return served;
    }

    /// What a container has written.
    public void log(String namespace, String pod, String text) {
        logs.put(Stored.key(namespace, pod), text);
    }

    public void bookmarkEvery(Duration interval) {
        reads.bookmarkEvery(interval);
    }

    /// Ends all watches, as a server does from time to time.
    public void endWatches() {
        store.endWatches();
    }

    /// Forgets all changes, so that open watches and those that resume end with 410, and so do
    /// lists that are half read.
    public void forgetHistory() {
        reads.forgetPages();
        store.forgetHistory(store.skipVersion());
    }

    /// How many bookmarks were sent.
    public long bookmarks() {
        return reads.bookmarks();
    }

    /// As [#forgetHistory], but watches that have seen everything go on.
    public void forgetHistoryUpToNow() {
        store.forgetHistory(store.version());
    }

    /// Ends all connections and accepts none until [#comeBack].
    public void goAway() {
        try {
            listener.goAway();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// At the same address, with the same objects.
    public void comeBack() {
        listener.comeBack();
    }

    private void handle(ApiCall call, Exchange exchange) throws IOException, InterruptedException {
        boolean losesAnswer = false;
        Writes.Answer answer;
        try {
            losesAnswer = faults.before(call);
            answer = answer(call, exchange);
        } catch (Refused e) {
            answer = new Writes.Answer(e.code(), Bodies.of(e.status()));
        } catch (RuntimeException e) {
            String message = "the fake failed: " + e;
            answer =
                    new Writes.Answer(
                            500, Bodies.of(new Refused(500, "InternalError", message).status()));
        }
        if (losesAnswer) {
            throw new IOException("the answer is lost");
        }
        if (answer.code() > 0) {
            String type = call.path().endsWith("/log") ? "text/plain" : Bodies.JSON_TYPE;
            exchange.answer(answer.code(), type, answer.body());
        }
    }

    /// @return with code 0 if everything was written
    private Writes.Answer answer(ApiCall call, Exchange exchange)
            throws IOException, InterruptedException {
        JsonNode known = known(call.path());
        if (!known.isMissingNode()) {
            return Writes.Answer.ok(known);
        }
        Target target = Target.of(call.path(), types);
        AccessRules.Access wanted = target.wanted(call);
        requests.computeIfAbsent(wanted.kind(), _ -> new LongAdder()).increment();
        access.check(call.token(), wanted);
        if (!call.method().equals("GET")) {
            return writes.write(target, call);
        }
        if (call.isWatch()) {
            reads.watch(target, call, exchange);
            return new Writes.Answer(0, new byte[0]);
        }
        if (target.name().isEmpty()) {
            return new Writes.Answer(200, reads.list(target, call));
        }
        return one(target, call);
    }

    private Writes.Answer one(Target target, ApiCall call) {
        Stored found = store.require(target.type(), target.namespace(), target.name());
        return switch (target.sub()) {
            case "", "status" -> new Writes.Answer(200, Bodies.of(found, target.type()));
            case "scale" -> Writes.Answer.ok(writes.scale(target));
            case "log" -> new Writes.Answer(200, log(found, call));
            default -> throw Refused.noSuchPath();
        };
    }

    private byte[] log(Stored pod, ApiCall call) {
        String text = logs.get(pod.key());
        if (text == null) {
            throw Refused.badRequest(
                    "container in pod \"%s\" is waiting to start: ContainerCreating"
                            .formatted(pod.name()));
        }
        String tail = call.parameter("tailLines");
        if (!tail.isEmpty()) {
            List<String> lines = text.lines().toList();
            int from = Math.max(0, lines.size() - Integer.parseInt(tail));
            text = String.join("\n", lines.subList(from, lines.size())) + "\n";
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// Paths that are no objects; missing for others.
    private JsonNode known(String path) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (path.equals("/version")) {
            return nodes.objectNode()
                    .put("major", "1")
                    .put("minor", Integer.toString(minor))
                    .put("gitVersion", "v1." + minor + ".0");
        }
        if (path.equals("/api")) {
            ObjectNode versions = nodes.objectNode().put("kind", "APIVersions");
            versions.putArray("versions").add("v1");
            return versions;
        }
        if (path.equals("/apis")) {
            return types.groups();
        }
        String version = path.replaceFirst("^/apis?/", "");
        return types.hasVersion(version) ? types.resources(version) : nodes.missingNode();
    }

    @Override
    public void close() {
        goAway();
        store.endWatches();
    }
}
