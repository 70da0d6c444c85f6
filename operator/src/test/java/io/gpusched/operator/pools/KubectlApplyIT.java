package io.gpusched.operator.pools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpusched.operator.chart.KubeTools;
import io.gpusched.operator.kube.RealApiServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// The definitions and published manifests, applied with kubectl to a real API server under its
/// usual strictness.
@Tag("long")
@SuppressWarnings("NullAway.Init")
final class KubectlApplyIT {
    @TempDir Path home;

    private RealApiServer server;
    private KubeTools tools;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(
                RealApiServer.isBuilt(),
                () -> RealApiServer.folder() + " has no server: run .ci/kubernetes-1.20");
        tools = KubeTools.found();
        server = RealApiServer.start();
        Files.writeString(home.resolve("config"), server.kubeconfig());
        kubectl("apply", "-f", PublishedManifests.DEFINITIONS.toRealPath().toString());
        awaitTypes();
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private KubeTools.Ended tried(String... words) {
        var all = new ArrayList<>(List.of("--kubeconfig", home.resolve("config").toString()));
        all.addAll(List.of(words));
        return tools.run(home, "kubectl", all);
    }

    private String kubectl(String... words) {
        return tried(words).succeeded().out();
    }

    /// The server serves a new type a moment after it has taken the definition.
    private void awaitTypes() {
        long until = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (tried("get", "ap,ac,mdl,tb").code() != 0 && System.nanoTime() - until < 0) {
            LockSupport.parkNanos(200_000_000);
        }
    }

    private void assertApplied(String text) throws IOException {
        Path file = home.resolve("manifest.yaml");
        Files.writeString(file, text);
        for (String how : List.of("--dry-run=client", "--dry-run=server", "--dry-run=none")) {
            KubeTools.Ended ended = tried("apply", how, "-f", file.toString());
            assertThat(ended.code()).as(how + " " + text + ended.err()).isZero();
        }
    }

    @Test
    void publishedManifestsAreTakenAsWritten() throws IOException {
        for (String block : PublishedManifests.blocks()) {
            assertApplied(block);
        }
        assertApplied(PublishedManifests.odd());
        List<String> guide = PublishedManifests.guide();
        for (String block : guide) {
            assertApplied(block);
        }
        assumeFalse(guide.isEmpty(), "needs the published guides beside the project");
        assertThat(guide).hasSize(10);
        String there = kubectl("get", "ap,tb", "-o", "name");
        assertThat(there.lines().count()).isGreaterThanOrEqualTo(10);
        String spot = kubectl("get", "ap", "spot-pool", "-o", "json");
        assertThat(spot).contains("\"maxSpotPercent\": 80");
    }

    @Test
    void aPoolIsScaledAndShownInColumns() throws IOException {
        assertApplied(
                """
                apiVersion: neuronetes.io/v1alpha1
                kind: AgentPool
                metadata: {name: chat}
                spec: {maxReplicas: 5}
                """);
        kubectl("scale", "ap/chat", "--replicas=3");
        assertThat(kubectl("get", "ap", "chat", "-o", "jsonpath={.spec.replicas}")).isEqualTo("3");
        kubectl(
                "patch",
                "ap",
                "chat",
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\": {\"phase\": \"Ready\", \"replicas\": 3, \"readyReplicas\": 2,"
                        + " \"selector\": \"a=b\"}}");
        assertThat(kubectl("get", "ap").lines().toList().getLast())
                .containsPattern("chat +5 +3 +2 +Ready");
        KubeTools.Ended wrong =
                tried(
                        "patch",
                        "ap",
                        "chat",
                        "--type=merge",
                        "-p",
                        "{\"spec\": {\"minReplicas\": \"many\"}}");
        assertThat(wrong.err()).contains("spec.minReplicas");
    }
}
