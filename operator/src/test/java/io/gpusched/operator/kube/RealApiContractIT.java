package io.gpusched.operator.kube;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

import java.util.Objects;

/// The contract, kept by a real API server of version 1.20.
@Tag("long")
final class RealApiContractIT extends KubeApiContract {
    private static @Nullable RealApiServer server;
    private static @Nullable HttpKubeApi api;

    @BeforeAll
    static void begin() {
        Assumptions.assumeTrue(
                RealApiServer.isBuilt(),
                () -> RealApiServer.folder() + " has no server: run .ci/kubernetes-1.20");
        server = RealApiServer.start();
        api = new HttpKubeApi(server.config());
    }

    @Override
    KubeApi server() {
        return Objects.requireNonNull(api);
    }

    @Override
    boolean forgetsHistory() {
        Objects.requireNonNull(server).restart();
        return true;
    }

    @AfterAll
    static void end() {
        if (api != null) {
            api.close();
        }
        if (server != null) {
            server.close();
        }
    }
}
