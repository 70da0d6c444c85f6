package io.gpusched.gateway.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

final class PoolTableTest {
    private final PoolTable table = new PoolTable();

    private static PoolConfig pool(String name, String tenant, String model) {
        return new PoolConfig(
                name,
                tenant,
                model,
                new PoolConfig.Objectives(0, 0, 0),
                new PoolConfig.Serving("/health", "", "", Duration.ofHours(1)),
                List.of());
    }

    private String serving(String model, String tenant) {
        Predicate<PoolConfig> own = config -> config.tenant().equals(tenant);
        ServedPool found = table.serving(model, own);
        return found == null ? "none" : found.name();
    }

    @Test
    void theNameOfAPoolComesBeforeAModel() {
        table.update(List.of(pool("a", "acme", "llama"), pool("llama", "acme", "other")));
        assertThat(serving("llama", "acme")).isEqualTo("llama");
        assertThat(serving("other", "acme")).isEqualTo("llama");
    }

    @Test
    void aPoolOfAnotherTenantTakesNoModelAway() {
        table.update(List.of(pool("chat", "acme", "llama"), pool("llama", "rival", "x")));
        assertThat(serving("llama", "acme")).isEqualTo("chat");
        assertThat(serving("llama", "rival")).isEqualTo("llama");
        assertThat(serving("chat", "rival")).isEqualTo("none");
    }
}
