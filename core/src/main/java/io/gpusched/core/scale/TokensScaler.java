package io.gpusched.core.scale;

import io.gpusched.core.pool.LoadCount;
import io.gpusched.core.pool.LoadInterval;
import io.gpusched.core.pool.LoadNow;
import io.gpusched.core.pool.Pool;

import java.time.Duration;
import java.time.Instant;

/// Scales by the tokens that wait: up when they would make the first token late, down by one when
/// few wait and the pool had no request for the cool-down.
///
///     expected time to the first token = tokens in the queue / tokens per second of the pool
///
/// The load time counts only where no replica is ready. The rule for growing never makes a pool
/// smaller, and replicas that are not ready yet count as if they were.
final class TokensScaler implements Scaler {
    /// What a replica works off per second before it was measured.
    private static final long USUAL_TOKENS_PER_SECOND = 1_000;

    /// Without an SLO: two seconds.
    private static final int USUAL_FIRST_TOKEN_MILLIS = 2_000;

    private static final Duration MEASURED_OVER = Duration.ofMinutes(1);

    @Override
    public String name() {
        return "tokens";
    }

    @Override
    public Recommendation recommend(PoolSignals signals) {
        Pool pool = signals.pool();
        Instant oldest = signals.now().minus(pool.scaling().staleAfter());
        LoadNow now = signals.load().since(oldest);
        int current = signals.desired();
        int all = Math.max(signals.ready() + signals.starting() + signals.waiting(), current);
        double queued = now.tokensInQueue();
        double perReplica = perReplica(signals);
        double slo =
                (pool.slo().firstTokenMillis() > 0
                                ? pool.slo().firstTokenMillis()
                                : USUAL_FIRST_TOKEN_MILLIS)
                        / 1000.0;
        double expected =
                queued / (perReplica * Math.max(1, all))
                        + (signals.ready() == 0 && queued > 0 ? seconds(signals.loadTime()) : 0);
        if (queued > 0 && expected > slo) {
            int needed = (int) Math.min(Integer.MAX_VALUE, Math.ceil(queued / (perReplica * slo)));
            return new Recommendation(
                    Math.max(Math.max(needed, current), 1),
                    "tokens: the first token would be late",
                    Reason.text(
                            "%.0f tokens wait, %d replicas work off %.0f/s each: %.2f s to the"
                                    + " first token, the SLO is %.2f s",
                            queued, all, perReplica, expected, slo));
        }
        if (queued < perReplica * 0.5 && isIdle(signals)) {
            return new Recommendation(
                    Math.max(current - 1, pool.min()),
                    "tokens: idle",
                    Reason.text(
                            "%.0f tokens wait and no request came for %ds",
                            queued, pool.scaling().cooldown().toSeconds()));
        }
        return new Recommendation(
                current,
                "tokens: the size is right",
                Reason.text("%.2f s to the first token, the SLO is %.2f s", expected, slo));
    }

    /// Tokens per second of one replica: as configured, or as measured in the last minute.
    private static double perReplica(PoolSignals signals) {
        long given = signals.pool().scaling().replicaTokensPerSecond();
        if (given > 0) {
            return given;
        }
        LoadInterval sum = signals.load().sum(signals.now(), MEASURED_OVER);
        double tokens = sum.of(LoadCount.OUTPUT_TOKENS) + sum.of(LoadCount.PROMPT_TOKENS);
        double measured = tokens / seconds(MEASURED_OVER) / Math.max(1, signals.ready());
        return Math.max(USUAL_TOKENS_PER_SECOND, measured);
    }

    private static boolean isIdle(PoolSignals signals) {
        Instant last = signals.load().lastRequest();
        return last == null
                || !signals.now().isBefore(last.plus(signals.pool().scaling().cooldown()));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
