package io.gpusched.operator.kube;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import io.gpusched.operator.kube.KubeConnection.Call;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/// Requests over HTTP/2 where the server offers it, otherwise HTTP/1.1.
public final class HttpKubeApi implements KubeApi, AutoCloseable {
    private static final ObjectMapper JSON =
            new ObjectMapper(
                    JsonFactory.builder().disable(StreamReadFeature.AUTO_CLOSE_SOURCE).build());
    private static final String FIELD_MANAGER = "gpu-scheduler-operator";
    private static final int PAGE = 500;

    /// Servers send a bookmark every minute; where they do not, the watch is only begun again.
    private static final Duration SILENT_WATCH = Duration.ofSeconds(150);

    private static final int SHORTEST_WATCH_SECONDS = 300;
    private static final int MOST_LOG_BYTES = 16 << 20;

    private final KubeConnection connection;
    private final Duration silentWatch;

    public HttpKubeApi(KubeConfig config) {
        this(config, SILENT_WATCH);
    }

    /// @param silentWatch how long a watch may be silent before it ends
    HttpKubeApi(KubeConfig config, Duration silentWatch) {
        this.connection = new KubeConnection(config, userAgent());
        this.silentWatch = silentWatch;
    }

    private static String userAgent() {
        String version = HttpKubeApi.class.getPackage().getImplementationVersion();
        return FIELD_MANAGER + "/" + (version == null ? "development" : version);
    }

    @Override
    public ObjectNode get(ResourceType type, String namespace, String name) {
        return get(type.path(namespace, name));
    }

    @Override
    public ObjectNode get(String path) {
        return connection.brief(Call.of("GET", path), HttpKubeApi::object);
    }

    /// If the server forgets the version of the first page before the last one was read, all is
    /// read again in one page.
    @Override
    public Listed list(ResourceType type, ListQuery query) {
        var items = new ArrayList<ObjectNode>();
        try {
            return new Listed(items, list(type, query, items::add));
        } catch (KubeException e) {
            if (!e.isGone()) {
                throw e;
            }
            items.clear();
            return new Listed(items, page(type, query, "", items::add).version());
        }
    }

    @Override
    public String list(ResourceType type, ListQuery query, Consumer<ObjectNode> each) {
        ListPage page = page(type, query, "limit=" + PAGE, each);
        while (!page.next().isEmpty()) {
            String next = "limit=" + PAGE + "&continue=" + encoded(page.next());
            page = page(type, query, next, each);
        }
        return page.version();
    }

    private ListPage page(
            ResourceType type, ListQuery query, String parameters, Consumer<ObjectNode> each) {
        String path = type.path(query.namespace()) + "?" + parameters + selectors(query);
        return connection.stream(Call.of("GET", path), body -> ListPage.read(body, type, each));
    }

    /// The metadata of one page.
    ///
    /// @param next empty for the last page
    private record ListPage(String version, String next) {
        /// Passes each item on as soon as it is read: a whole page as a tree would be large.
        static ListPage read(InputStream in, ResourceType type, Consumer<ObjectNode> each)
                throws IOException {
            var apiVersion = new TextNode(type.apiVersion());
            var kind = new TextNode(type.kind());
            JsonNode metadata = JSON.missingNode();
            try (JsonParser parser = JSON.createParser(in)) {
                expect(parser.nextToken() == JsonToken.START_OBJECT);
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String field = parser.currentName();
                    parser.nextToken();
                    switch (field) {
                        case "metadata" -> metadata = JSON.readTree(parser);
                        case "items" -> {
                            while (parser.currentToken() != JsonToken.VALUE_NULL
                                    && parser.nextToken() == JsonToken.START_OBJECT) {
                                ObjectNode item = JSON.readTree(parser);
                                item.putIfAbsent("apiVersion", apiVersion);
                                item.putIfAbsent("kind", kind);
                                each.accept(item);
                            }
                        }
                        default -> parser.skipChildren();
                    }
                }
            }
            in.transferTo(OutputStream.nullOutputStream());
            expect(metadata.isObject());
            return new ListPage(
                    metadata.path("resourceVersion").asText(""),
                    metadata.path("continue").asText(""));
        }

        private static void expect(boolean isList) throws IOException {
            if (!isList) {
                throw new IOException("the answer is no list of objects");
            }
        }
    }

    @Override
    public void watch(
            ResourceType type, ListQuery query, String resourceVersion, WatchListener listener) {
        int seconds =
                SHORTEST_WATCH_SECONDS
                        + ThreadLocalRandom.current().nextInt(SHORTEST_WATCH_SECONDS);
        String path =
                "%s?watch=true&allowWatchBookmarks=true&timeoutSeconds=%d&resourceVersion=%s%s"
                        .formatted(
                                type.path(query.namespace()),
                                seconds,
                                encoded(resourceVersion),
                                selectors(query));
        connection.stream(
                Call.of("GET", path).silentFor(silentWatch),
                body -> {
                    listener.opened();
                    new WatchReader(body, "GET " + path).read(listener);
                    return true;
                });
    }

    private static String selectors(ListQuery query) {
        return (query.labels().isEmpty() ? "" : "&labelSelector=" + encoded(query.labels()))
                + (query.fields().isEmpty() ? "" : "&fieldSelector=" + encoded(query.fields()));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public ObjectNode create(ResourceType type, String namespace, JsonNode object) {
        return write("POST", type.path(namespace), "application/json", object);
    }

    @Override
    public ObjectNode replace(ResourceType type, String namespace, String name, JsonNode object) {
        return write("PUT", type.path(namespace, name), "application/json", object);
    }

    @Override
    public ObjectNode patch(
            ResourceType type,
            String namespace,
            String name,
            String sub,
            PatchKind kind,
            JsonNode patch) {
        String path = sub(type.path(namespace, name), sub);
        String manager =
                kind == PatchKind.APPLY
                        ? (path.contains("?") ? "&" : "?")
                                + "force=true&fieldManager="
                                + FIELD_MANAGER
                        : "";
        return write("PATCH", path + manager, kind.mediaType(), patch);
    }

    @Override
    public ObjectNode post(
            ResourceType type, String namespace, String name, String sub, JsonNode object) {
        return write("POST", sub(type.path(namespace, name), sub), "application/json", object);
    }

    private static String sub(String path, String sub) {
        return sub.isEmpty() || sub.startsWith("?") ? path + sub : path + "/" + sub;
    }

    private ObjectNode write(String method, String path, String mediaType, JsonNode object) {
        byte[] body = object.toString().getBytes(StandardCharsets.UTF_8);
        return connection.brief(Call.of(method, path).with(mediaType, body), HttpKubeApi::object);
    }

    @Override
    public void delete(ResourceType type, String namespace, String name, DeleteOptions options) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("apiVersion", "v1").put("kind", "DeleteOptions");
        if (options.graceSeconds() >= 0) {
            body.put("gracePeriodSeconds", options.graceSeconds());
        }
        if (!options.uid().isEmpty()) {
            body.putObject("preconditions").put("uid", options.uid());
        }
        if (!options.propagation().isEmpty()) {
            body.put("propagationPolicy", options.propagation());
        }
        write("DELETE", type.path(namespace, name), "application/json", body);
    }

    @Override
    public byte[] log(String namespace, String pod, String query) {
        String path = ResourceType.PODS.path(namespace, pod) + "/log?" + query;
        return connection.stream(Call.of("GET", path), body -> body.readNBytes(MOST_LOG_BYTES));
    }

    /// Reads to the end, so that the connection can be used again.
    private static ObjectNode object(InputStream body) throws IOException {
        try {
            if (JSON.readTree(body.readAllBytes()) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException e) {
            throw new IOException("the answer is no JSON; is this an API server?", e);
        }
        throw new IOException("the answer is no object; is this an API server?");
    }

    /// Ends all requests, watches too.
    @Override
    public void close() {
        connection.close();
    }
}
