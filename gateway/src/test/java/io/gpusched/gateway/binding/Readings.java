package io.gpusched.gateway.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Reads a queue once, as a watch does.
final class Readings {
    private Readings() {}

    static Binding binding(String provider, String connection, String queue, String group) {
        return new Binding("orders", "chat", provider, new Secret(connection), queue, group);
    }

    static long depth(Binding binding) throws LagProblem, InterruptedException {
        String connection = binding.connection().reveal(System::getenv);
        try (QueueLag lag = Provider.open(binding, connection)) {
            long depth = lag.depth();
            assertThat(lag.depth()).as("a second reading").isEqualTo(depth);
            return depth;
        }
    }

    /// The reading fails and its whole text repeats nothing of the connection.
    static void assertProblem(Binding binding, String... said) {
        assertThatThrownBy(() -> depth(binding))
                .isInstanceOf(LagProblem.class)
                .hasNoCause()
                .hasMessageContainingAll(said);
    }
}
