package io.gpusched.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.server.config.ApiSection;
import io.gpusched.server.config.Arguments;
import io.gpusched.server.config.ConfigReader;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

final class OriginPolicyTest {
    @Test
    void onLoopbackOnlyNamesOfThisMachineAreAllowed() {
        var originPolicy = new OriginPolicy(api(Map.of()));

        assertThat(
                        List.of(
                                "localhost",
                                "LOCALHOST:8080",
                                "127.0.0.1:1",
                                "[::1]:8080",
                                "a.localhost"))
                .allMatch(originPolicy::allowsHost);
        assertThat(List.of("evil.example", "evil.example:8080", "10.0.0.1", "", "[::2]", "["))
                .noneMatch(originPolicy::allowsHost);
        assertThat(originPolicy.allowsHost(null)).isFalse();
    }

    @Test
    void furtherNamesCanBeAllowed() {
        var originPolicy =
                new OriginPolicy(api(Map.of("GPU_SCHEDULER_API_ALLOWED_HOSTS", "gpus.example")));

        assertThat(originPolicy.allowsHost("gpus.example:8080")).isTrue();
        assertThat(originPolicy.allowsHost("other.example")).isFalse();
    }

    @Test
    void aForeignOriginIsRefusedUnlessItIsNamed() {
        var closed = new OriginPolicy(api(Map.of()));
        var open =
                new OriginPolicy(
                        api(Map.of("GPU_SCHEDULER_API_CORS_ORIGINS", "https://ui.example")));

        assertThat(closed.allowsOrigin("https://evil.example", "localhost:8080")).isFalse();
        assertThat(closed.allowsOrigin("null", "localhost:8080")).isFalse();
        assertThat(closed.allowsOrigin("http://localhost:8080", "localhost:8080")).isTrue();
        assertThat(closed.allowsOrigin("http://localhost:9999", "localhost:8080")).isFalse();
        assertThat(open.allowsOrigin("https://ui.example", "localhost:8080")).isTrue();
        assertThat(open.sharesWith("https://ui.example")).isTrue();
        assertThat(open.allowsOrigin("https://evil.example", "localhost:8080")).isFalse();
    }

    @Test
    void aStarLetsEveryPageInOnlyWhereTokensAreNeeded() {
        var open = new OriginPolicy(api(Map.of("GPU_SCHEDULER_API_CORS_ORIGINS", "*")));
        var guarded =
                new OriginPolicy(
                        api(
                                Map.of(
                                        "GPU_SCHEDULER_API_CORS_ORIGINS", "*",
                                        "GPU_SCHEDULER_AUTH_ENABLED", "true")));

        assertThat(open.allowsOrigin("https://any.example", "localhost")).isFalse();
        assertThat(guarded.allowsOrigin("https://any.example", "localhost")).isTrue();
    }

    @Test
    void beyondLoopbackEveryNameIsAllowedUnlessSomeAreConfigured() {
        var outside =
                Map.of(
                        "GPU_SCHEDULER_API_HOST", "0.0.0.0",
                        "GPU_SCHEDULER_AUTH_ENABLED", "true",
                        "GPU_SCHEDULER_API_ENABLE_TLS", "true",
                        "GPU_SCHEDULER_API_TLS_CERT_FILE", "c",
                        "GPU_SCHEDULER_API_TLS_KEY_FILE", "k");

        assertThat(new OriginPolicy(api(outside)).allowsHost("gpus.example")).isTrue();
    }

    private static ApiSection api(Map<String, String> environment) {
        return ConfigReader.read(Arguments.of(), environment).api();
    }
}
