package io.gpusched.gateway.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.gateway.admit.KeyOwner;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;

/// A scheduler to which nothing connects.
final class SchedulerClientTest {
    private final SchedulerClient client =
            new SchedulerClient(URI.create("http://127.0.0.1:1"), "", null);

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\u0000", "\u4e2d"})
    void aKeyThatNoHeaderCanHaveIsUnknown(String key) {
        assertThat(client.owner(key)).isEqualTo(new KeyOwner.Unknown());
    }

    @Test
    void anotherKeyCannotBeAskedFor() {
        assertThat(client.owner("k")).isEqualTo(new KeyOwner.Unreachable());
    }
}
