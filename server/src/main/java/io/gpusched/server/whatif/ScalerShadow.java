package io.gpusched.server.whatif;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.scale.Scaler;
import io.gpusched.sim.scaling.ScalerQuestion;
import io.gpusched.sim.scaling.ScalerWhatIf;
import io.gpusched.sim.scaling.ScalerWhatIfResult;
import io.gpusched.sim.whatif.SchedulerConfig;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/// Runs other scaling laws on the recent load of a pool, on a thread of low priority that reads the
/// journal. The cell takes no part. Only one computation runs at a time, and none takes more
/// than its limits.
public final class ScalerShadow implements AutoCloseable {
    /// Finds a ledger from which the journal is read.
    public interface Beginnings {
        /// A ledger of that time or before; null to begin with the first batch.
        @Nullable Engine before(StoredHistory history, Instant at);
    }

    /// What a computation may take.
    ///
    /// @param kept reports of load, replicas that they tell of and requests, together; about 200
    ///        bytes each with what the runs need
    public record Limits(Duration time, long kept) {}

    /// The computation takes more time or memory than it may.
    public static final class TooMuch extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooMuch(String what) {
            super(what);
        }
    }

    /// Another computation is running.
    public static final class Busy extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Busy() {
            super("laws are already being tried on a pool; only one computation runs at a time");
        }
    }

    /// A law looks back an hour, so the journal is read from an hour before.
    private static final Duration EARLIER = Duration.ofHours(1);

    private final Supplier<StoredHistory> histories;
    private final Beginnings beginnings;
    private final SchedulerConfig.Known configs;
    private final List<Scaler> plugged;
    private final Limits limits;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile boolean closed;

    /// @param histories opens the journal as it is at the time of a request
    /// @param plugged laws of plug-ins
    /// @param limits of one computation
    public ScalerShadow(
            Supplier<StoredHistory> histories,
            Beginnings beginnings,
            SchedulerConfig.Known configs,
            List<Scaler> plugged,
            Limits limits) {
        this.histories = histories;
        this.beginnings = beginnings;
        this.configs = configs;
        this.plugged = List.copyOf(plugged);
        this.limits = limits;
    }

    /// Throws [io.gpusched.sim.whatif.InvalidWhatIf] if there is no law of that name.
    public void check(String law) {
        ScalerWhatIf.checkLaw(law, plugged);
    }

    /// Waits for the answer. Throws [Busy], [TooMuch], or
    /// [io.gpusched.sim.whatif.InvalidWhatIf] if there is none.
    @SuppressWarnings("ThreadPriorityCheck") // A hint that the system may ignore.
    public ScalerWhatIfResult ask(PoolId pool, List<String> laws, Instant since) {
        if (!running.compareAndSet(false, true)) {
            throw new Busy();
        }
        var answer = new CompletableFuture<ScalerWhatIfResult>();
        Thread.ofPlatform()
                .name("pool-shadow")
                .priority(Thread.MIN_PRIORITY)
                .daemon()
                .start(() -> answer(answer, pool, laws, since));
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /// The next computation may begin before the caller has this answer, so that a caller that asks
    /// again at once is not refused.
    private void answer(
            CompletableFuture<ScalerWhatIfResult> answer,
            PoolId pool,
            List<String> laws,
            Instant since) {
        try {
            ScalerWhatIfResult result = compute(pool, laws, since);
            running.set(false);
            answer.complete(result);
        } catch (Throwable failed) {
            running.set(false);
            answer.completeExceptionally(failed);
        }
    }

    private ScalerWhatIfResult compute(PoolId pool, List<String> laws, Instant since) {
        long end = System.nanoTime() + limits.time().toNanos();
        var watcher =
                new ScalerWhatIf.Watcher() {
                    @Override
                    public void read(long batch, long kept) {
                        check();
                        if (kept > limits.kept()) {
                            throw new TooMuch(
                                    "the pool's reports of load do not fit into the memory for"
                                            + " this computation");
                        }
                    }

                    @Override
                    public void runs(String law, double part) {
                        check();
                    }

                    private void check() {
                        if (closed) {
                            throw new CancellationException("the server stops");
                        }
                        if (System.nanoTime() > end) {
                            throw new TooMuch(
                                    "the computation took longer than "
                                            + limits.time().toSeconds()
                                            + " s");
                        }
                    }
                };
        StoredHistory history = histories.get();
        return new ScalerWhatIf(
                        history,
                        beginnings.before(history, since.minus(EARLIER)),
                        configs,
                        new ScalerQuestion(pool, since, laws, null),
                        watcher)
                .answer();
    }

    @Override
    public void close() {
        closed = true;
    }
}
