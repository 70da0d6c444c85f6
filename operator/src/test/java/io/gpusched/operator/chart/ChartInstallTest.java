package io.gpusched.operator.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.operator.KubeYaml;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.kube.fake.FakeApiServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// kubectl and helm with what the chart renders, on an API server.
final class ChartInstallTest {
    private static final Map<String, String> OTHERS =
            Map.of(
                    "ServiceMonitor", "monitoring.coreos.com",
                    "PodMonitor", "monitoring.coreos.com",
                    "PrometheusRule", "monitoring.coreos.com",
                    "Certificate", "cert-manager.io",
                    "Issuer", "cert-manager.io");

    private static final ResourceType DEPLOYMENTS =
            new ResourceType("apps", "v1", "deployments", "Deployment", true);

    @TempDir Path home;
    private final FakeApiServer server = FakeApiServer.start();
    private KubeTools tools;

    static List<Path> cases() {
        return Chart.cases();
    }

    @BeforeEach
    void prepareACluster() throws IOException {
        tools = KubeTools.found();
        Files.writeString(
                home.resolve("kubeconfig"),
                """
                apiVersion: v1
                kind: Config
                current-context: fake
                clusters: [{name: fake, cluster: {server: "%s"}}]
                users: [{name: admin, user: {token: admin}}]
                contexts: [{name: fake, context: {cluster: fake, user: admin, namespace: default}}]
                """
                        .formatted(server.url()));
        OTHERS.forEach((kind, group) -> define(kind, group));
    }

    @AfterEach
    void stopTheCluster() {
        server.close();
    }

    private void define(String kind, String group) {
        String plural = kind.toLowerCase(java.util.Locale.ROOT) + "s";
        Path file = home.resolve(plural + ".yaml");
        try {
            Files.writeString(
                    file,
                    """
                    apiVersion: apiextensions.k8s.io/v1
                    kind: CustomResourceDefinition
                    metadata: {name: %1$s.%2$s}
                    spec:
                      group: %2$s
                      scope: Namespaced
                      names: {plural: %1$s, kind: %3$s}
                      versions:
                      - name: v1
                        served: true
                        storage: true
                        schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                    """
                            .formatted(plural, group, kind));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        kubectl("create", "--validate=false", "-f", file.toString()).succeeded();
    }

    private KubeTools.Ended kubectl(String... arguments) {
        return run("kubectl", arguments);
    }

    private KubeTools.Ended run(String tool, String... arguments) {
        return tools.run(
                home,
                Map.of("KUBECONFIG", home.resolve("kubeconfig").toString()),
                tool,
                new ArrayList<>(Arrays.asList(arguments)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void kubectlTakesWhatIsRendered(Path values) throws IOException {
        Path rendered = home.resolve("rendered.yaml");
        var chart = new Chart(home);
        Files.writeString(
                rendered, chart.template("--values", values.toString()).succeeded().out());

        var ended =
                kubectl("apply", "--dry-run=client", "--validate=false", "-f", rendered.toString())
                        .succeeded();

        assertThat(ended.out().lines())
                .hasSameSizeAs(chart.objects(values))
                .allMatch(line -> line.endsWith("created (dry run)"));
    }

    /// An installation, then an upgrade with another value, as a tool for GitOps does them.
    @Test
    void aSecondApplyChangesOnlyWhatDiffers() throws IOException {
        server.create(ResourceType.NAMESPACES, KubeYaml.object("metadata: {name: gpu}"));
        String values = Chart.root().resolve("deploy/helm/tests/everything.yaml").toString();
        apply("--values", values);
        assertThat(names(DEPLOYMENTS))
                .containsExactly("try-gpu-scheduler-gateway", "try-gpu-scheduler-operator");

        List<String> second = apply("--values", values, "--set", "operator.replicas=3");

        // kubectl replaces the selector of a budget whenever it applies one.
        assertThat(
                        second.stream()
                                .filter(line -> !line.endsWith(" unchanged"))
                                .filter(line -> !line.startsWith("poddisruptionbudget")))
                .containsExactly("deployment.apps/try-gpu-scheduler-operator configured");
        assertThat(server.all(DEPLOYMENTS).getLast().at("/spec/replicas").asInt()).isEqualTo(3);
    }

    private List<String> apply(String... values) throws IOException {
        Path rendered = home.resolve("rendered.yaml");
        Files.writeString(rendered, new Chart(home).template(values).succeeded().out());
        return kubectl("apply", "--validate=false", "-f", rendered.toString())
                .succeeded()
                .out()
                .lines()
                .toList();
    }

    private List<String> names(ResourceType type) {
        return server.all(type).stream().map(each -> each.at("/metadata/name").asText()).toList();
    }
}
