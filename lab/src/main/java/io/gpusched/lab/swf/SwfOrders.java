package io.gpusched.lab.swf;

import io.gpusched.core.policy.QueueOrder;
import io.gpusched.core.policy.order.F1Order;
import io.gpusched.core.policy.order.FifoOrder;
import io.gpusched.core.policy.order.IndexOrder;
import io.gpusched.core.policy.order.ShortestLimitOrder;
import io.gpusched.core.policy.order.UnicepOrder;
import io.gpusched.core.policy.order.Wfp3Order;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// The queue orders of the experiment by name: those of the core, and the two that result from a
/// mistake.
public final class SwfOrders {
    private static final List<String> NAMES =
            List.of("fcfs", "sjf", "f1", "wfp3", "unicep", "index");

    /// The two published columns that result from a mistake.
    public static final List<String> QUIRKS = List.of(QuirkOrder.WFP, QuirkOrder.UNI);

    private SwfOrders() {}

    /// Null when there is none of that name.
    public static @Nullable QueueOrder named(String name, boolean quirks) {
        return switch (name) {
            case "fcfs" -> new FifoOrder();
            case "sjf" -> new ShortestLimitOrder();
            case "f1" -> new F1Order(Instant.EPOCH);
            case "wfp3" -> new Wfp3Order(Instant.EPOCH);
            case "unicep" -> new UnicepOrder(Instant.EPOCH);
            case "index" -> new IndexOrder();
            default -> quirks && QUIRKS.contains(name) ? new QuirkOrder(name) : null;
        };
    }

    /// The error message for an unknown name.
    public static String unknown(String name) {
        return "--policy: expected one of %s%s, found %s"
                .formatted(
                        String.join(", ", NAMES),
                        QUIRKS.contains(name) ? " (or wfp, uni with --paper-quirk)" : "",
                        name);
    }
}
