package io.gpusched.operator.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// What every object of the chart has to be, whatever the values are.
final class ChartObjectsTest {
    private static final Set<String> OTHERS = Set.of("monitoring.coreos.com", "cert-manager.io");
    private static final Pattern FLAG = Pattern.compile("--[a-z-]+");

    @TempDir Path home;

    static List<Path> cases() {
        return Chart.cases();
    }

    /// The model classes of a client of Kubernetes refuse fields that do not exist.
    @ParameterizedTest
    @MethodSource("cases")
    void everyFieldExists(Path values) throws Exception {
        for (JsonNode object : new Chart(home).objects(values)) {
            String apiVersion = object.path("apiVersion").asText();
            if (!OTHERS.contains(apiVersion.split("/")[0])) {
                String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
                validate(version.toUpperCase(Locale.ROOT) + object.path("kind").asText(), object);
            }
        }
    }

    private static void validate(String model, JsonNode object) throws Exception {
        try {
            Class.forName("io.kubernetes.client.openapi.models." + model)
                    .getMethod("validateJsonElement", JsonElement.class)
                    .invoke(null, JsonParser.parseString(object.toString()));
        } catch (InvocationTargetException e) {
            throw new AssertionError(model + " " + object.at("/metadata/name"), e.getCause());
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyObjectHasTheLabelsOfItsRelease(Path values) {
        for (JsonNode object : new Chart(home).objects(values)) {
            if (!object.path("kind").asText().equals("CustomResourceDefinition")) {
                JsonNode labels = object.at("/metadata/labels");
                assertThat(labels.path("app.kubernetes.io/instance").asText())
                        .as("%s", object.at("/metadata/name"))
                        .isEqualTo("try");
                assertThat(labels.path("app.kubernetes.io/component").asText()).isNotEmpty();
            }
        }
    }

    /// The restricted profile of pod security, and a root file system that nobody writes to.
    @ParameterizedTest
    @MethodSource("cases")
    void everyPodIsRestricted(Path values) {
        List<JsonNode> templates =
                new Chart(home)
                        .objects(values).stream()
                                .map(each -> each.at("/spec/template/spec"))
                                .filter(JsonNode::isObject)
                                .toList();
        assertThat(templates).isNotEmpty();
        for (JsonNode pod : templates) {
            assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
            assertThat(pod.at("/securityContext/seccompProfile/type").asText())
                    .isEqualTo("RuntimeDefault");
            assertThat(pod.path("enableServiceLinks").asBoolean(true)).isFalse();
            for (JsonNode container : pod.path("containers")) {
                JsonNode security = container.path("securityContext");
                assertThat(security.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
                assertThat(security.path("readOnlyRootFilesystem").asBoolean()).isTrue();
                assertThat(security.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyMountHasItsVolume(Path values) {
        for (JsonNode object : new Chart(home).objects(values)) {
            JsonNode pod = object.at("/spec/template/spec");
            var volumes = new TreeSet<String>();
            pod.path("volumes").forEach(volume -> volumes.add(volume.path("name").asText()));
            var mounts = new TreeSet<String>();
            pod.at("/containers/0/volumeMounts")
                    .forEach(mount -> mounts.add(mount.path("name").asText()));
            assertThat(mounts).isEqualTo(volumes);
        }
    }

    /// A Service, a policy, a budget or a monitor must select pods that exist.
    @ParameterizedTest
    @MethodSource("cases")
    void everySelectorFindsPods(Path values) {
        List<JsonNode> objects = new Chart(home).objects(values);
        var labels = new ArrayList<JsonNode>();
        for (JsonNode object : objects) {
            labels.add(object.at("/spec/template/metadata/labels"));
        }
        for (JsonNode object : objects) {
            JsonNode selector = selector(object);
            if (selector.isObject()) {
                assertThat(labels)
                        .as("%s %s", object.path("kind"), selector)
                        .anyMatch(each -> matches(selector, each));
            }
        }
    }

    private static JsonNode selector(JsonNode object) {
        return switch (object.path("kind").asText()) {
            case "Service" -> object.at("/spec/selector");
            case "NetworkPolicy" -> object.at("/spec/podSelector/matchLabels");
            default -> object.at("/spec/selector/matchLabels");
        };
    }

    private static boolean matches(JsonNode selector, JsonNode labels) {
        for (var entry : selector.properties()) {
            if (!entry.getValue().equals(labels.path(entry.getKey()))) {
                return false;
            }
        }
        return true;
    }

    @ParameterizedTest
    @CsvSource({
        "Deployment, try-gpu-scheduler-operator,"
                + " operator/src/main/java/io/gpusched/operator/OperatorOptions.java",
        "StatefulSet, try-gpu-scheduler,"
                + " server/src/main/java/io/gpusched/server/config/Arguments.java",
        "Deployment, try-gpu-scheduler-gateway,"
                + " gateway/src/main/java/io/gpusched/gateway/GatewayOptions.java",
    })
    void aProgramHasTheOptionsThatItGets(String kind, String name, String source)
            throws IOException {
        Path everything = Chart.root().resolve("deploy/helm/tests/everything.yaml");
        JsonNode object = Chart.one(new Chart(home).objects(everything), kind, name);
        Path webhook = Path.of("operator/src/main/java/io/gpusched/operator/WebhookOptions.java");
        String options =
                Files.readString(Chart.root().resolve(source))
                        + Files.readString(Chart.root().resolve(webhook));

        var flags = new TreeSet<String>();
        for (JsonNode argument : object.at("/spec/template/spec/containers/0/args")) {
            FLAG.matcher(argument.asText()).results().forEach(each -> flags.add(each.group()));
        }
        assertThat(flags).isNotEmpty().allMatch(flag -> options.contains('"' + flag + '"'));
    }

    @org.junit.jupiter.api.Test
    void anAgentHasTheOptionsThatItGets() throws IOException {
        Path everything = Chart.root().resolve("deploy/helm/tests/everything.yaml");
        JsonNode agent =
                Chart.one(
                        new Chart(home).objects(everything),
                        "DaemonSet",
                        "try-gpu-scheduler-agent");
        String options =
                Files.readString(
                        Chart.root()
                                .resolve("agent/src/main/java/io/gpusched/agent/AgentOption.java"));

        for (JsonNode argument : agent.at("/spec/template/spec/containers/0/args")) {
            String option = argument.asText().replaceFirst("--([a-z-]+)=.*", "$1");
            assertThat(options)
                    .containsPattern(
                            "(?m)^    "
                                    + option.replace('-', '_').toUpperCase(Locale.ROOT)
                                    + "\\(");
        }
    }
}
