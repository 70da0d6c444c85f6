package io.gpusched.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.KubeApi.PatchKind;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/// A server under contract, with a namespace of its own for each test, and short words for what the
/// tests do. It leaves nothing behind.
abstract class ContractFixture {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    KubeApi api;
    int minor;
    String namespace;
    String node;

    /// The server under test; the same for all tests of a class.
    abstract KubeApi server();

    /// Makes the server forget what has changed.
    ///
    /// @return false if it cannot be made to
    boolean forgetsHistory() {
        return false;
    }

    @BeforeEach
    void prepare() {
        api = server();
        minor = Integer.parseInt(api.get("/version").path("minor").asText().replaceAll("\\D", ""));
        namespace = "contract-" + UUID.randomUUID().toString().substring(0, 8);
        node = namespace + "-node";
        api.create(ResourceType.NAMESPACES, "", TestObjects.named(namespace));
        createAccount();
    }

    /// Where a controller makes it, pods cannot be created before.
    private void createAccount() {
        try {
            var accounts = new ResourceType("", "v1", "serviceaccounts", "ServiceAccount", true);
            api.create(accounts, namespace, TestObjects.named("default"));
        } catch (KubeException e) {
            assertThat(e.isConflict()).as(e.getMessage()).isTrue();
        }
    }

    @AfterEach
    void cleanUp() {
        for (ObjectNode pod : api.list(ResourceType.PODS, ListQuery.in(namespace)).items()) {
            remove(ResourceType.PODS, namespace, TestObjects.name(pod));
        }
        remove(ResourceType.NODES, "", node);
        remove(ResourceType.NAMESPACES, "", namespace);
    }

    void remove(ResourceType type, String in, String name) {
        try {
            api.delete(type, in, name, DeleteOptions.only("").grace(0));
        } catch (KubeException e) {
            assertThat(e.isNotFound() || e.isConflict()).as(e.getMessage()).isTrue();
        }
    }

    ObjectNode pod(String name) {
        return api.create(ResourceType.PODS, namespace, TestObjects.pod(name));
    }

    ObjectNode read(String name) {
        return api.get(ResourceType.PODS, namespace, name);
    }

    void bind(String pod, ObjectNode binding) {
        api.post(ResourceType.PODS, namespace, pod, "binding", binding);
    }

    void patchStatus(String pod, String status) {
        api.patch(
                ResourceType.PODS,
                namespace,
                pod,
                "status",
                PatchKind.STRATEGIC,
                TestObjects.tree(status));
    }

    static String condition(JsonNode object, String type) {
        for (JsonNode each : object.path("status").path("conditions")) {
            if (each.path("type").asText().equals(type)) {
                return each.path("status").asText();
            }
        }
        return "";
    }

    static KubeException refusal(Runnable call) {
        KubeException refusal = catchThrowableOfType(KubeException.class, call::run);
        assertThat(refusal).as("a refusal").isNotNull();
        return refusal;
    }

    /// Asks again until it is so, without a pause: every question takes its time.
    static void await(BooleanSupplier isSo) {
        Instant end = Instant.now().plus(PATIENCE);
        while (!isSo.getAsBoolean()) {
            assertThat(Instant.now()).as("patience").isBefore(end);
        }
    }
}
