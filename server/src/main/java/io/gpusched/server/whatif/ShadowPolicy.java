package io.gpusched.server.whatif;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.metrics.Meters;
import io.gpusched.sim.whatif.SchedulerConfig;
import io.gpusched.sim.whatif.ShadowReplay;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/// A second policy that decides on the same input as the policy in force, on a thread of its own.
/// Its decisions have no effect; they are only compared.
///
/// It receives only durable batches. If it cannot keep up, or fails, it stops for good with a
/// reason, and the scheduler goes on.
public final class ShadowPolicy implements Follower.BatchListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShadowPolicy.class);

    private static final int MOST_BATCHES = 20_000;
    private static final Duration MOST_BEHIND = Duration.ofHours(1);
    private static final long MOST_EVENTS = 200_000;
    private static final long MOST_WAITING = 1_000_000;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final String policy;
    private final ArrayBlockingQueue<Batch> queue = new ArrayBlockingQueue<>(MOST_BATCHES);
    private final Supplier<ShadowReplay> beginning;
    private volatile ShadowReplay.@Nullable Picture picture;
    private volatile String stopped = "";
    private volatile boolean closed;
    private @Nullable Thread thread;

    private ShadowPolicy(String policy, Supplier<ShadowReplay> beginning) {
        this.policy = policy;
        this.beginning = beginning;
    }

    /// The shadow policy of a server that has none configured.
    public static ShadowPolicy none() {
        var none =
                new ShadowPolicy(
                        "",
                        () -> {
                            throw new IllegalStateException("there is no shadow");
                        });
        none.stopped = "no shadow policy is configured";
        return none;
    }

    /// Starts from a copy of the state of `at`. It must then receive every batch after that state.
    public static ShadowPolicy beside(
            Engine at, SchedulerConfig configured, String policy, SchedulerConfig.Known configs) {
        String chosen = at.state().policy();
        var inForce =
                new SchedulerConfig(
                        chosen.isEmpty() ? configured.policy() : chosen, configured.settings());
        var from = new ShadowReplay.Beginning(at.image(), at.learner().image(), inForce);
        return new ShadowPolicy(
                policy,
                () -> new ShadowReplay(from, policy, "", configs, MOST_BEHIND, MOST_EVENTS));
    }

    /// Adds gauges that compare the shadow policy with the policy in force.
    public ShadowPolicy meteredBy(Meters meters) {
        if (policy.isEmpty()) {
            return this;
        }
        meters.gauge(
                "gpu_scheduler_shadow_running",
                "Whether the shadow policy runs: 1, or 0 when it has stopped.",
                () -> stopped.isEmpty() ? 1 : 0);
        gauge(
                meters,
                "gpu_scheduler_shadow_behind_seconds",
                "How far the shadow policy is behind the scheduler.",
                seen -> seen.behind().toMillis() / 1e3);
        gauge(
                meters,
                "gpu_scheduler_shadow_differing_starts",
                "Jobs that the shadow policy started at another time.",
                seen -> seen.starts().earlier() + seen.starts().later());
        gauge(
                meters,
                "gpu_scheduler_shadow_gained_seconds",
                "Sum of the time by which jobs started sooner under the shadow policy.",
                seen -> seen.starts().secondsGained());
        gauge(
                meters,
                "gpu_scheduler_shadow_wait_mean_seconds",
                "The mean wait under the shadow policy.",
                seen -> seen.shadow().all().waitMean());
        gauge(
                meters,
                "gpu_scheduler_shadow_live_wait_mean_seconds",
                "The mean wait under the policy in force, over the same time.",
                seen -> seen.live().all().waitMean());
        return this;
    }

    private void gauge(
            Meters meters, String name, String help, ToDoubleFunction<ShadowReplay.Picture> what) {
        meters.gauge(
                name,
                help,
                () -> {
                    ShadowReplay.Picture seen = picture;
                    return seen == null ? 0 : what.applyAsDouble(seen);
                });
    }

    @SuppressWarnings("ThreadPriorityCheck") // A hint that the system may ignore.
    public ShadowPolicy start() {
        if (!policy.isEmpty()) {
            thread =
                    Thread.ofPlatform()
                            .name("shadow")
                            .priority(Thread.MIN_PRIORITY)
                            .daemon()
                            .start(this::run);
        }
        return this;
    }

    /// The name of the shadow policy; empty if there is none.
    public String policy() {
        return policy;
    }

    /// Why it has stopped; empty while it runs.
    public String stopped() {
        return stopped;
    }

    /// The latest comparison; null before the first.
    public ShadowReplay.@Nullable Picture picture() {
        return picture;
    }

    @Override
    public void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        if (stopped.isEmpty() && !queue.offer(batch)) {
            stop("it cannot keep up: " + MOST_BATCHES + " batches wait for it", null);
        }
    }

    private void run() {
        try {
            ShadowReplay shadowReplay = beginning.get();
            picture = shadowReplay.picture();
            long shown = System.nanoTime();
            while (!closed && stopped.isEmpty()) {
                Batch batch = queue.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
                if (batch != null) {
                    shadowReplay.hear(batch);
                }
                if (shadowReplay.waiting() > MOST_WAITING) {
                    stop("more than " + MOST_WAITING + " jobs wait under it", null);
                }
                if (queue.isEmpty() || System.nanoTime() - shown > PAUSE.toNanos()) {
                    picture = shadowReplay.picture();
                    shown = System.nanoTime();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable broken) {
            stop("it failed: " + broken, broken);
        }
        queue.clear();
    }

    private void stop(String why, @Nullable Throwable cause) {
        stopped = why;
        LOG.warn("the shadow policy {} has stopped: {}", policy, why, cause);
    }

    @Override
    public void close() {
        closed = true;
        try {
            if (thread != null) {
                thread.join(Duration.ofSeconds(5));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
