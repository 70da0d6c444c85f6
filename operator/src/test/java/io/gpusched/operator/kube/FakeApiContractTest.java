package io.gpusched.operator.kube;

import io.gpusched.operator.kube.fake.FakeApiServer;

import org.junit.jupiter.api.AfterAll;

/// The contract, kept by the fake.
final class FakeApiContractTest extends KubeApiContract {
    private static final FakeApiServer SERVER = FakeApiServer.start();
    private static final HttpKubeApi API = new HttpKubeApi(SERVER.config());

    @Override
    KubeApi server() {
        return API;
    }

    @Override
    boolean forgetsHistory() {
        SERVER.forgetHistory();
        return true;
    }

    @AfterAll
    static void end() {
        API.close();
        SERVER.close();
    }
}
