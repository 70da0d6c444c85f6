package io.gpusched.core.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ScalersTest {
    @Test
    void everyLawIsFoundByItsName() {
        assertThat(Scalers.names())
                .containsExactly("slo", "targets", "tokens", "queue", "static")
                .allSatisfy(name -> assertThat(Scalers.named(name)).isNotNull());
        assertThat(Scalers.named("guess")).isNull();
    }

    @Test
    void staticKeepsTheFewestReplicas() {
        Signals signals = Signals.of("static").between(3, 9).ready(5);
        assertThat(signals.recommend().replicas()).isEqualTo(3);
    }
}
