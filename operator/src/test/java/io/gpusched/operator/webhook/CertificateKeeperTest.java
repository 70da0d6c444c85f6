package io.gpusched.operator.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;
import io.gpusched.operator.kube.DeleteOptions;
import io.gpusched.operator.kube.HttpKubeApi;
import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.kube.fake.FakeApiServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

final class CertificateKeeperTest {
    private final FakeApiServer server = FakeApiServer.start();
    private final HttpKubeApi api = new HttpKubeApi(server.config());
    private final AtomicReference<Instant> now =
            new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final List<ServingCertificate> shown = new ArrayList<>();
    private final CertificateKeeper keeper =
            new CertificateKeeper(
                    api,
                    new CertificateKeeper.Place(
                            "gpu", "hook-tls", "hook", List.of("hook.gpu.svc", "hook.gpu")),
                    shown::add,
                    now::get);

    @BeforeEach
    void installAWebhook() {
        server.create(ResourceType.NAMESPACES, KubeYaml.object("metadata: {name: gpu}"));
        server.create(CertificateKeeper.CONFIGURATIONS, configuration());
    }

    private static ObjectNode configuration() {
        return KubeYaml.object(
                """
                metadata: {name: hook}
                webhooks: [{name: score.gpu-scheduler.io, clientConfig: {service: {name: hook, namespace: gpu}}}]
                """);
    }

    @AfterEach
    void end() {
        api.close();
        server.close();
    }

    private String trusted() {
        ObjectNode found = api.get(CertificateKeeper.CONFIGURATIONS, "", "hook");
        String bundle = found.at("/webhooks/0/clientConfig/caBundle").asText();
        return new String(Base64.getDecoder().decode(bundle), StandardCharsets.US_ASCII);
    }

    private void pass(int days) {
        now.updateAndGet(before -> before.plus(Duration.ofDays(days)));
    }

    @Test
    void theLeaderMakesACertificateAndHasItTrusted() {
        keeper.check(true);

        assertThat(shown).hasSize(1);
        assertThat(trusted()).isEqualTo(shown.getFirst().certificatePem());
        assertThat(api.get(ResourceType.SECRETS, "gpu", "hook-tls").path("type").asText())
                .isEqualTo("kubernetes.io/tls");
    }

    @Test
    void anotherOperatorOnlyReadsIt() {
        keeper.check(false);
        assertThat(shown).isEmpty();

        keeper.check(true);
        keeper.check(false);

        assertThat(shown).hasSize(2);
        assertThat(shown.get(1)).isEqualTo(shown.get(0));
    }

    @Test
    void itIsRenewedAMonthBeforeItsEndAndBothAreTrusted() {
        keeper.check(true);
        pass(59);
        keeper.check(true);
        assertThat(shown.get(1)).isEqualTo(shown.get(0));

        pass(2);
        keeper.check(true);

        assertThat(shown.get(2)).isNotEqualTo(shown.get(0));
        assertThat(trusted())
                .isEqualTo(shown.get(2).certificatePem() + shown.get(0).certificatePem());
    }

    @Test
    void aBundleThatAnUpgradeRemovedIsWrittenAgain() {
        keeper.check(true);
        ObjectNode replaced = configuration();
        ObjectNode before = api.get(CertificateKeeper.CONFIGURATIONS, "", "hook");
        ((ObjectNode) replaced.get("metadata"))
                .set("resourceVersion", before.at("/metadata/resourceVersion"));
        api.replace(CertificateKeeper.CONFIGURATIONS, "", "hook", replaced);

        keeper.check(true);

        assertThat(trusted()).isEqualTo(shown.getFirst().certificatePem());
    }

    @Test
    void aSecretWithSomethingElseIsReplaced() {
        api.create(
                ResourceType.SECRETS,
                "gpu",
                KubeYaml.object(
                        "{metadata: {name: hook-tls}, data: {tls.crt: '%%', tls.key: ''}}"));

        keeper.check(false);
        assertThat(shown).isEmpty();
        keeper.check(true);

        assertThat(shown).hasSize(1);
    }

    @Test
    void theEmptySecretOfTheChartIsFilledAndKeepsItsLabels() {
        api.create(
                ResourceType.SECRETS,
                "gpu",
                KubeYaml.object("{metadata: {name: hook-tls, labels: {a: b}}, type: Opaque}"));

        keeper.check(true);
        keeper.check(false);

        assertThat(shown).hasSize(2);
        assertThat(shown.get(1)).isEqualTo(shown.get(0));
        ObjectNode secret = api.get(ResourceType.SECRETS, "gpu", "hook-tls");
        assertThat(secret.at("/metadata/labels/a").asText()).isEqualTo("b");
        assertThat(secret.path("type").asText()).isEqualTo("Opaque");
    }

    @Test
    void withoutAConfigurationNothingIsShown() {
        api.delete(CertificateKeeper.CONFIGURATIONS, "", "hook", DeleteOptions.only(""));

        assertThatExceptionOfType(KubeException.class).isThrownBy(() -> keeper.check(true));
        assertThat(shown).isEmpty();
    }
}
