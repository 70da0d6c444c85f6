package io.gpusched.gateway.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.PrintWriter;
import java.io.StringWriter;

/// Reads a queue once, as a watch does, and looks for passwords in everything that is written.
final class Readings {
    /// Part of every wrong password.
    static final String CANARY = "canary";

    private Readings() {}

    static Binding binding(String provider, String connection, String queue, String group) {
        return new Binding(
                "orders", "chat", provider, new ConnectionSecret(connection), queue, group);
    }

    static long depth(Binding binding) throws LagProblem, InterruptedException {
        String connection = binding.connection().reveal(System::getenv);
        try (QueueLag lag = Provider.open(binding, connection)) {
            long depth = lag.depth();
            assertThat(lag.depth()).as("a second reading").isEqualTo(depth);
            return depth;
        }
    }

    /// The reading fails, and nothing that is written meanwhile repeats a wrong password.
    static void assertProblem(Binding binding, String... said) {
        try (var outputs = new Outputs()) {
            Throwable problem = catchThrowable(() -> depth(binding));
            assertThat(problem)
                    .isInstanceOf(LagProblem.class)
                    .hasNoCause()
                    .hasMessageContainingAll(said);
            var trace = new StringWriter();
            problem.printStackTrace(new PrintWriter(trace));
            outputs.add(trace.toString());
            outputs.add(binding.toString());
            assertThat(outputs.text()).doesNotContain(CANARY);
        }
    }
}
