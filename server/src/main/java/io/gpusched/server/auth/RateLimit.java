package io.gpusched.server.auth;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Limits the requests per second of each caller. A burst may use the requests of one second at
/// once.
///
/// Each caller has one number: the time at which its credit would be used up exactly. A request
/// moves it forward by the price of one request. A caller that would move it more than a second
/// past now must wait.
public final class RateLimit {
    private static final long SECOND = 1_000_000_000L;

    private final long price;
    private final LongSupplier nanos;
    private final ConcurrentHashMap<String, AtomicLong> paidUntil = new ConcurrentHashMap<>();

    /// @param perSecond 0 for no limit
    /// @param nanos a monotonic clock
    public RateLimit(long perSecond, LongSupplier nanos) {
        this.price = perSecond == 0 ? 0 : Math.max(1, SECOND / perSecond);
        this.nanos = nanos;
    }

    /// 0 if the caller may proceed, else the seconds after which it should retry. A gateway speaks
    /// for all pools and their clients, and its reports must not be late, so it has no limit.
    public long secondsToWait(Caller caller) {
        if (price == 0 || caller instanceof Caller.Gateway) {
            return 0;
        }
        long now = nanos.getAsLong();
        AtomicLong until = paidUntil.computeIfAbsent(caller.label(), label -> new AtomicLong(now));
        while (true) {
            long before = until.get();
            long next = (before - now < 0 ? now : before) + price;
            if (next - now > Math.max(SECOND, price)) {
                return Math.max(1, (next - now - 1) / SECOND);
            }
            if (until.compareAndSet(before, next)) {
                return 0;
            }
        }
    }
}
