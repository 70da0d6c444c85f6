package io.gpusched.operator.kube;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import java.util.Objects;

/// The contract, kept by the cluster that `KUBECONFIG` names.
@Tag("long")
final class ClusterApiContractIT extends KubeApiContract {
    private static @Nullable HttpKubeApi api;

    @BeforeAll
    static void begin() {
        Assumptions.assumeTrue(
                System.getenv("KUBECONFIG") != null,
                "set KUBECONFIG to run the contract against a cluster");
        api = new HttpKubeApi(KubeConfig.find("", "", System.getenv()));
    }

    @Override
    KubeApi server() {
        return Objects.requireNonNull(api);
    }

    @AfterAll
    static void end() {
        if (api != null) {
            api.close();
        }
    }
}
