package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The files of the web page, as a browser requests them.
@Timeout(60)
final class PageRestTest {
    /// What the page may weigh as a whole, compressed.
    private static final int MOST_BYTES = 500_000;

    private static final Pattern IMPORT =
            Pattern.compile("(?:import|from)\\s*\\(?\"([A-Za-z0-9@./_-]+)\"");
    private static final Pattern VIEW = Pattern.compile("file: \"([a-z-]+)\"");
    private static final Pattern MAPPED = Pattern.compile("\"([^\"]+)\": \"\\./([^\"]+)\"");

    @TempDir Path temp;

    private Running rest;

    @BeforeEach
    void start() {
        rest = Running.in(temp, Map.of("GPU_SCHEDULER_AUTH_ENABLED", "true"));
    }

    @AfterEach
    void stop() {
        rest.close();
    }

    @Test
    void aBrowserIsLedToThePageAndOtherClientsGetFacts() {
        var start = rest.send("GET", "/", null, Map.of("Accept", "text/html,*/*;q=0.8"));
        assertThat(start.status()).isEqualTo(302);
        assertThat(start.headers()).containsEntry("location", "ui/");
        var facts = rest.send("GET", "/", null, Map.of("Accept", "*/*"));
        assertThat(facts.json().has("config")).isTrue();
        var withoutSlash = rest.get("/ui");
        assertThat(withoutSlash.status()).isEqualTo(302);
        assertThat(withoutSlash.headers()).containsEntry("location", "ui/");
    }

    @Test
    void thePageNeedsNoTokenAndAllowsNothingForeign() {
        var page = rest.get("/ui/");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text()).startsWith("<!doctype html>");
        assertThat(page.headers().get("content-security-policy"))
                .contains("default-src 'none'", "script-src 'self' 'sha256-", "connect-src 'self'")
                .contains("frame-ancestors 'none'")
                .doesNotContain("unsafe", "http:", "https:", "*");
        assertThat(page.headers())
                .containsEntry("x-content-type-options", "nosniff")
                .containsEntry("referrer-policy", "no-referrer");
    }

    @Test
    void anUnchangedFileIsNotSentAgain() {
        var first = rest.get("/ui/app.js");
        String tag = first.headers().get("etag");
        var again = rest.send("GET", "/ui/app.js", null, Map.of("If-None-Match", tag));
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.text()).isEmpty();
    }

    @Test
    void pathsOutsideThePageAreNotServed() throws Exception {
        for (String path :
                List.of(
                        "/ui/missing.js",
                        "/ui/lib",
                        "/ui/..%2fserver%2fhttp%2fopenapi.json",
                        "/ui/%2e%2e/server/http/openapi.json",
                        "/ui/lib/..%5c..%5capp.js",
                        "/ui/a/b/c/d/e.js")) {
            var request = HttpRequest.newBuilder(URI.create(rest.server().url() + path)).build();
            var answer =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(path).isIn(400, 401, 404);
        }
    }

    @Test
    void everyFileThatThePageImportsExistsAndTheWholeIsLight() throws Exception {
        Map<String, Integer> weights = closure();
        assertThat(weights).containsKeys("index.html", "style.css", "app.js", "lib/api.js");
        int total = weights.values().stream().mapToInt(Integer::intValue).sum();
        assertThat(total).as("bytes of %s", weights).isLessThan(MOST_BYTES);
    }

    /// The compressed size of every file that the page can load.
    private Map<String, Integer> closure() throws Exception {
        var imports = new LinkedHashMap<String, String>();
        Matcher mapped = MAPPED.matcher(rest.get("/ui/").text());
        while (mapped.find()) {
            imports.put(mapped.group(1), mapped.group(2));
        }
        var weights = new LinkedHashMap<String, Integer>();
        var open = new ArrayDeque<>(List.of("index.html", "style.css", "icon.svg", "app.js"));
        while (!open.isEmpty()) {
            String path = open.removeFirst();
            if (weights.containsKey(path)) {
                continue;
            }
            String text = rest.get("/ui/" + path.replace("index.html", "")).text();
            weights.put(path, weight(path));
            if (path.endsWith(".js")) {
                Matcher matcher = IMPORT.matcher(text);
                while (matcher.find()) {
                    if (!matcher.group(1).contains("${")) {
                        open.add(resolve(path, matcher.group(1), imports));
                    }
                }
                Matcher view = VIEW.matcher(text);
                while (path.equals("app.js") && view.find()) {
                    open.add("views/" + view.group(1) + ".js");
                }
            }
        }
        return weights;
    }

    private static String resolve(String from, String wanted, Map<String, String> imports) {
        if (wanted.startsWith(".")) {
            return URI.create("/" + from).resolve(wanted).getPath().substring(1);
        }
        String exact = imports.get(wanted);
        if (exact != null) {
            return exact;
        }
        String folder = wanted.substring(0, wanted.lastIndexOf('/') + 1);
        String mapped = imports.get(folder);
        assertThat(mapped).as("import of %s in %s", wanted, from).isNotNull();
        return mapped + wanted.substring(folder.length());
    }

    private int weight(String path) throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(
                                URI.create(
                                        rest.server().url()
                                                + "/ui/"
                                                + path.replace("index.html", "")))
                        .header("Accept-Encoding", "gzip")
                        .build();
        var answer =
                HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.statusCode())
                .as(path + ": " + new String(answer.body(), StandardCharsets.UTF_8))
                .isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Encoding")).as(path).hasValue("gzip");
        return answer.body().length;
    }
}
