package io.gpusched.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.operator.kube.fake.FakeApiServer;

import org.junit.jupiter.api.Test;

final class HttpKubeApiTest {
    @Test
    void aServerTellsItsVersion() {
        try (var server = FakeApiServer.start();
                var api = new HttpKubeApi(server.config())) {
            assertThat(api.get("/version").path("minor").asText()).isEqualTo("34");
        }
    }
}
