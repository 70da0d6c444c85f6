package io.gpusched.gateway.proxy;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// A page of the gateway that is used again for a while, so that whoever asks for it without a key
/// cannot keep the loop from passing requests.
///
/// A page is used for twenty times as long as it took to make, and a second at most: pages take a
/// twentieth of the loop, and small ones are always fresh.
final class ReusedAnswer {
    private static final long FACTOR = 20;
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private final Supplier<GatewayAnswer> page;
    private final LongSupplier clock;
    private GatewayAnswer answer = GatewayAnswer.json(200, "{}");
    private long freshUntil;

    /// @param clock in nanoseconds; it must move while a page is made
    ReusedAnswer(Supplier<GatewayAnswer> page, LongSupplier clock) {
        this.page = page;
        this.clock = clock;
        freshUntil = clock.getAsLong();
    }

    GatewayAnswer get() {
        long began = clock.getAsLong();
        if (began - freshUntil >= 0) {
            answer = page.get();
            long ended = clock.getAsLong();
            freshUntil = ended + Math.min(LONGEST.toNanos(), FACTOR * (ended - began));
        }
        return answer;
    }
}
