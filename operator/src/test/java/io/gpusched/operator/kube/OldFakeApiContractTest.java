package io.gpusched.operator.kube;

import io.gpusched.operator.kube.fake.FakeApiServer;

import org.junit.jupiter.api.AfterAll;

/// The contract, kept by the fake when it behaves like an old version.
final class OldFakeApiContractTest extends KubeApiContract {
    private static final FakeApiServer SERVER = FakeApiServer.version(20);
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
