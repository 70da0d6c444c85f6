package io.gpusched.operator.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/// A chart contains only files of its own folder, so these are copies. -Dupdate=true makes them.
final class ChartFilesTest {
    private static final Path DEPLOY = Chart.root().resolve("deploy");

    @TempDir Path home;

    @ParameterizedTest
    @CsvSource({"crds, crds, .yaml", "grafana, dashboards, .json"})
    void theChartHasACopyOfEachFile(String from, String to, String ending) throws IOException {
        Path copies = Chart.folder().resolve("files").resolve(to);
        List<String> names = names(DEPLOY.resolve(from), ending);
        assertThat(names).isNotEmpty();
        for (String name : names) {
            same(DEPLOY.resolve(from).resolve(name), copies.resolve(name));
        }
        assertThat(names(copies, "")).isEqualTo(names);
    }

    @Test
    void theChartHasACopyOfTheAlertRules() throws IOException {
        same(DEPLOY.resolve("prometheus/alerts.yml"), Chart.folder().resolve("files/alerts.yml"));
    }

    private static void same(Path original, Path copy) throws IOException {
        if (Boolean.getBoolean("update")) {
            Files.createDirectories(copy.getParent());
            Files.copy(original, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(copy).as("update with -Dupdate=true").hasSameTextualContentAs(original);
    }

    private static List<String> names(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aDefinitionIsInstalledAsItIsAndKept() throws IOException {
        var chart = new Chart(home);
        for (String name : names(DEPLOY.resolve("crds"), ".yaml")) {
            JsonNode original =
                    Chart.read(Files.readString(DEPLOY.resolve("crds").resolve(name))).getFirst();
            String id = original.at("/metadata/name").asText();
            JsonNode kept = Chart.one(chart.objects(), "CustomResourceDefinition", id);
            JsonNode plain =
                    Chart.one(
                            chart.objects("--set", "crds.keep=false"),
                            "CustomResourceDefinition",
                            id);

            assertThat(plain).isEqualTo(original);
            assertThat(kept.at("/metadata/annotations/helm.sh~1resource-policy").asText())
                    .isEqualTo("keep");
            assertThat(kept.get("spec")).isEqualTo(original.get("spec"));
        }
    }

    @Test
    void theRulesAndDashboardsArriveUnchanged() throws IOException {
        List<JsonNode> objects =
                new Chart(home)
                        .objects("--set", "prometheusRule.enabled=true,dashboards.enabled=true");

        JsonNode rules =
                Chart.read(Files.readString(DEPLOY.resolve("prometheus/alerts.yml"))).getFirst();
        assertThat(Chart.one(objects, "PrometheusRule", "try-gpu-scheduler").get("spec"))
                .isEqualTo(rules);
        for (String name : names(DEPLOY.resolve("grafana"), ".json")) {
            JsonNode map =
                    Chart.one(
                            objects,
                            "ConfigMap",
                            "try-gpu-scheduler-dashboard-" + name.replace(".json", ""));
            assertThat(map.path("data").path("gpu-scheduler-" + name).asText().strip())
                    .isEqualTo(Files.readString(DEPLOY.resolve("grafana").resolve(name)).strip());
            assertThat(((ObjectNode) map.at("/metadata/labels")).path("grafana_dashboard").asText())
                    .isEqualTo("1");
        }
    }

    @Test
    void theVersionOfTheChartIsThatOfTheProject() throws IOException {
        String pom = Files.readString(Chart.root().resolve("pom.xml"));
        String version = pom.replaceFirst("(?s).*?<version>([^<]*)</version>.*", "$1");
        JsonNode chart =
                Chart.read(Files.readString(Chart.folder().resolve("Chart.yaml"))).getFirst();

        assertThat(chart.path("version").asText()).isEqualTo(version);
        assertThat(chart.path("appVersion").asText()).isEqualTo(version);
    }
}
