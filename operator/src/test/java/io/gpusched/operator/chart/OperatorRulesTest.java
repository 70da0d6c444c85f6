package io.gpusched.operator.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.KubeYaml;
import io.gpusched.operator.kube.HttpKubeApi;
import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.kube.fake.FakeApiServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What follows from the chart's rules for whom they are given to.
final class OperatorRulesTest {
    private final FakeApiServer server = FakeApiServer.start();
    private final HttpKubeApi api = new HttpKubeApi(server.config("operator"));

    @AfterEach
    void end() {
        api.close();
        server.close();
    }

    @Test
    void noRuleIsForEverything() {
        assertThat(OperatorRules.chart().permissions())
                .doesNotHaveDuplicates()
                .noneMatch(permission -> permission.contains("*"))
                .noneMatch(permission -> permission.contains("secrets"));
    }

    @Test
    void aPodIsBoundAndNotReplaced() {
        OperatorRules.chart().grant(server, "operator");
        server.create(ResourceType.NAMESPACES, KubeYaml.object("metadata: {name: team}"));
        server.create(ResourceType.NODES, KubeYaml.node("n1", 8));
        server.create(
                ResourceType.PODS, KubeYaml.pod("p", "containers: [{name: main, image: busybox}]"));

        api.post(
                ResourceType.PODS,
                "team",
                "p",
                "binding",
                KubeYaml.object("{metadata: {name: p}, target: {kind: Node, name: n1}}"));

        ObjectNode pod = api.get(ResourceType.PODS, "team", "p");
        assertThat(pod.at("/spec/nodeName").asText()).isEqualTo("n1");
        assertThatExceptionOfType(KubeException.class)
                .isThrownBy(() -> api.replace(ResourceType.PODS, "team", "p", pod))
                .withMessageContaining("forbidden");
    }

    @Test
    void onlyTheLeaseOfTheReleaseCanBeTaken() {
        OperatorRules.chart().grant(server, "operator");
        server.create(ResourceType.NAMESPACES, KubeYaml.object("metadata: {name: gpu}"));
        for (String name : new String[] {OperatorRules.LEASE, "other"}) {
            api.create(
                    ResourceType.LEASES,
                    OperatorRules.NAMESPACE,
                    KubeYaml.object("{metadata: {name: " + name + "}, spec: {}}"));
        }

        assertThat(api.get(ResourceType.LEASES, OperatorRules.NAMESPACE, OperatorRules.LEASE))
                .isNotNull();
        assertThatExceptionOfType(KubeException.class)
                .isThrownBy(() -> api.get(ResourceType.LEASES, OperatorRules.NAMESPACE, "other"))
                .withMessageContaining("forbidden");
        assertThatExceptionOfType(KubeException.class)
                .isThrownBy(() -> api.get(ResourceType.LEASES, "default", OperatorRules.LEASE))
                .withMessageContaining("forbidden");
    }

    @Test
    void withoutOnePermissionTheRestStays() {
        OperatorRules rules = OperatorRules.chart();
        OperatorRules less = rules.without("create pods/binding");

        assertThat(less.permissions()).doesNotContain("create pods/binding");
        assertThat(less.permissions()).hasSize(rules.permissions().size() - 1);
    }
}
