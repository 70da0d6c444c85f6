package io.gpusched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;

import io.gpusched.core.model.Labels;
import io.gpusched.server.config.ConfigException;
import io.gpusched.server.plugin.JarMaker;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// Plug-ins in a running server: those of the guide, and broken ones.
final class PluginsTest {
    private static final Path GUIDE = Path.of("../docs/guide/plugins.md");
    private static final String POLICY = "io.gpusched.core.policy.";

    @TempDir Path temp;

    @Test
    void theExampleOfTheGuideCompilesLoadsAndDecides() throws IOException {
        String guide = Files.readString(GUIDE);
        JarMaker.make(temp, "example.jar", sources(guide), services(guide));
        Path config = temp.resolve("config.yaml");
        String yaml = blocks(guide, "yaml").values().iterator().next();
        Files.writeString(config, yaml.replace("plugins_dir: plugins", "plugins_dir: " + dir()));
        try (var running = Running.with(temp.resolve("data"), config)) {
            var nodes = new FakeNodes(running.server());
            nodes.join("training", 8, Labels.of("pool", "training"));
            nodes.join("busy", 8, Labels.NONE);
            String first = running.submit(job(1));
            assertThat(place(running, first)).contains("busy");
            nodes.join("calm", 2, Labels.NONE);
            String second = running.submit(job(1));
            assertThat(place(running, second))
                    .as("the quiet one, although the other has more free")
                    .contains("calm");
            String large = running.submit(job(8));
            assertThat(place(running, large)).contains("training");
            JsonNode terms = running.get("/api/v1/jobs/" + second + "/explain").json();
            assertThat(terms.path("score_terms").findValuesAsText("name"))
                    .containsExactly(
                            "availability",
                            "topology",
                            "model-cache",
                            "cost",
                            "data-locality",
                            "quiet-nodes");
            String small = running.submit(job(3));
            assertThat(place(running, small)).contains("busy");
            String waits = running.submit(job(3));
            String why = running.submit(job(3));
            assertThat(place(running, waits)).contains("busy");
            assertThat(running.get("/api/v1/jobs/" + why + "/explain").text())
                    .contains("keep-for-training")
                    .contains("kept for tasks of 4 or more GPUs");
        }
    }

    @Test
    void aPluginThatThrowsStopsNothing() throws IOException {
        String filter =
                """
                public final class BadFilter implements io.gpusched.core.policy.Filter {
                    public String name() { return "bad-filter"; }
                    public io.gpusched.core.policy.Refusal refuse(
                            io.gpusched.core.model.Shape shape, io.gpusched.core.nodes.NodeView node) {
                        if (node.facts().id().name().equals("n1")) {
                            throw new IllegalStateException("oh no");
                        }
                        return null;
                    }
                }
                """;
        String scorer =
                """
                public final class BadScorer implements io.gpusched.core.policy.Scorer {
                    public String name() { return "bad-scorer"; }
                    public void score(
                            io.gpusched.core.model.Job job,
                            io.gpusched.core.model.Shape shape,
                            java.util.List<io.gpusched.core.policy.Candidate> candidates,
                            io.gpusched.core.state.ClusterView cluster,
                            double[] cost) {
                        throw new NoSuchMethodError("built for another version");
                    }
                }
                """;
        JarMaker.make(
                temp,
                "bad.jar",
                Map.of("BadFilter", filter, "BadScorer", scorer),
                Map.of(POLICY + "Filter", "BadFilter", POLICY + "Scorer", "BadScorer"));
        try (var running = Running.in(temp.resolve("data"), settings("bad-filter, bad-scorer"))) {
            var nodes = new FakeNodes(running.server());
            nodes.join("n1", 2);
            String waits = running.submit(job(1));
            JsonNode why = running.get("/api/v1/jobs/" + waits + "/explain").json();
            assertThat(why.path("reasons").path(0).path("by").asText()).isEqualTo("plugin-failed");
            assertThat(why.path("reasons").path(0).path("why").asText()).contains("oh no");
            nodes.join("n2", 2);
            assertThat(place(running, waits)).contains("n2");
            assertThat(running.get("/api/v1/jobs/" + waits + "/events").text())
                    .contains("bad-scorer 0.5 (failed, counted as neutral")
                    .contains("built for another version");
        }
    }

    @Test
    void aNameThatNoJarHasIsRefusedWithTheNearest() throws IOException {
        assertThatThrownBy(() -> Running.in(temp.resolve("data"), settings("quiet-nodes")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("plugins_dir")
                .hasMessageContaining("found none");
        String guide = Files.readString(GUIDE);
        JarMaker.make(temp, "example.jar", sources(guide), services(guide));
        assertThatThrownBy(() -> Running.in(temp.resolve("data"), settings("quiet-node")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("nearest is quiet-nodes");
    }

    @Test
    void anOrderFromAPluginIsAPolicyLikeAnother() throws IOException {
        String order =
                """
                public final class LastFirst implements io.gpusched.core.policy.QueueOrder {
                    public String name() { return "last-first"; }
                    public long key(io.gpusched.core.model.Job job) { return -job.id().number(); }
                }
                """;
        JarMaker.make(
                temp,
                "order.jar",
                Map.of("LastFirst", order),
                Map.of(POLICY + "QueueOrder", "LastFirst"));
        var settings =
                Map.of(
                        "GPU_SCHEDULER_PLUGINS_DIR",
                        dir(),
                        "GPU_SCHEDULER_SCHEDULER_POLICY",
                        "last-first-skip");
        try (var running = Running.in(temp.resolve("data"), settings)) {
            String first = running.submit(job(1));
            String last = running.submit(job(1));
            new FakeNodes(running.server()).join("n1", 1);
            assertThat(place(running, last)).contains("n1");
            assertThat(running.get("/api/v1/jobs/" + first).text()).contains("pending");
        }
        var wrong =
                Map.of(
                        "GPU_SCHEDULER_PLUGINS_DIR",
                        dir(),
                        "GPU_SCHEDULER_SCHEDULER_POLICY",
                        "lastfirst");
        assertThatThrownBy(() -> Running.in(temp.resolve("other"), wrong))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("nearest is last-first");
    }

    private String dir() {
        return temp.resolve("plugins").toString();
    }

    private Map<String, String> settings(String plugins) {
        return Map.of(
                "GPU_SCHEDULER_PLUGINS_DIR", dir(), "GPU_SCHEDULER_SCHEDULER_PLUGINS", plugins);
    }

    private static String job(int gpus) {
        return "{\"name\":\"j\",\"gpu_count\":%d,\"command\":[\"true\"]}".formatted(gpus);
    }

    private static String place(Running running, String job) {
        return running.get("/api/v1/jobs/" + job + "/events").text();
    }

    /// The classes of the guide, by name.
    private static Map<String, String> sources(String guide) {
        var sources = new LinkedHashMap<String, String>();
        blocks(guide, "java").forEach(sources::put);
        return sources;
    }

    /// What the guide's commands write into `META-INF/services`.
    private static Map<String, String> services(String guide) {
        var services = new LinkedHashMap<String, String>();
        var lines = Pattern.compile("echo (\\S+) > build/META-INF/services/(\\S+)").matcher(guide);
        while (lines.find()) {
            services.put(lines.group(2), lines.group(1));
        }
        return services;
    }

    private static Map<String, String> blocks(String guide, String language) {
        var blocks = new LinkedHashMap<String, String>();
        var found = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(guide);
        while (found.find()) {
            var name = Pattern.compile("class (\\w+)").matcher(found.group(1));
            blocks.put(name.find() ? name.group(1) : "block-" + blocks.size(), found.group(1));
        }
        return blocks;
    }
}
