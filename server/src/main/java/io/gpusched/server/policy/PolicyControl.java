package io.gpusched.server.policy;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Command;
import io.gpusched.server.cell.CellUnavailable;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.config.PolicyRules;
import io.gpusched.server.whatif.ShadowPolicy;
import io.gpusched.sim.whatif.MeanInterval;
import io.gpusched.sim.whatif.ShadowReplay;
import io.gpusched.sim.whatif.ShadowVerdict;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Watches the policy in force and the shadow policy, and carries out what the [PolicyGuard] asks
/// for, with the same command that an administrator sends.
///
/// It checks once a second on a thread of its own. If the cell does not answer, it tries again.
public final class PolicyControl implements Follower.BatchListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyControl.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);

    /// The name by which the journal records changes that the scheduler makes by itself.
    public static final String BY = "scheduler";

    private final PolicyInForce inForce;
    private final ShadowPolicy shadow;
    private final PolicyRules rules;
    private final PolicyGuard guard;
    private final Function<Command, Answer> cell;
    private final InstantSource clock;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().name("policy-guard").daemon().unstarted(this::run);

    /// @param cell sends a command to the cell and waits for the answer
    public PolicyControl(
            PolicyInForce inForce,
            ShadowPolicy shadow,
            PolicyRules rules,
            Function<Command, Answer> cell,
            InstantSource clock) {
        this.inForce = inForce;
        this.shadow = shadow;
        this.rules = rules;
        this.guard = new PolicyGuard(rules);
        guard.inForce(inForce.now().policy());
        this.cell = cell;
        this.clock = clock;
    }

    public PolicyControl start() {
        thread.start();
        return this;
    }

    public PolicyInForce.Status status() {
        return inForce.now();
    }

    public ShadowPolicy shadow() {
        return shadow;
    }

    public PolicyRules rules() {
        return rules;
    }

    /// The name of the policy that replaces a failing one.
    public String fallbackPolicy() {
        return rules.fallback().policyFor(status().configured());
    }

    /// Whether the guard watches the policy in force.
    public boolean isGuarding() {
        return rules.fallback().enabled() && !status().policy().equals(fallbackPolicy());
    }

    /// Whether the guard also compares the policy in force with the fallback policy: that runs in
    /// the shadow. It does not while a third policy is there, or when the shadow has stopped.
    public boolean isComparing() {
        return isGuarding()
                && rules.fallback().watchesObjective()
                && shadow.policy().equals(fallbackPolicy())
                && shadow.stopped().isEmpty();
    }

    /// What the tracked objective says about the shadow policy.
    public ShadowVerdict verdict() {
        MeanInterval interval = interval();
        return interval == null ? ShadowVerdict.UNDECIDED : interval.verdict();
    }

    /// A sentence that compares the shadow policy with the policy in force.
    public String comparison() {
        String stopped = shadow.stopped();
        if (!stopped.isEmpty()) {
            return "the shadow has stopped, " + stopped;
        }
        MeanInterval interval = interval();
        return interval == null || !interval.isKnown()
                ? "too few jobs have been compared"
                : PolicyGuard.comparison(
                        rules.objective(), shadow.policy(), status().policy(), interval);
    }

    private @Nullable MeanInterval interval() {
        ShadowReplay.Picture picture = shadow.picture();
        return picture == null ? null : picture.differences().of(rules.objective());
    }

    /// Until when nothing is promoted because of a fallback; null if that is over, or never was.
    public @Nullable Instant promotionPausedUntil() {
        Instant last = status().lastFallback();
        Instant until = last == null ? null : last.plus(rules.promotion().pause());
        return until == null || until.isBefore(clock.instant()) ? null : until;
    }

    /// Notes how long a cycle took.
    public void cycleTook(int inputs, long nanos) {
        guard.cycleTook(inputs, Duration.ofNanos(nanos));
    }

    /// Runs after [PolicyInForce] has received the same batch.
    @Override
    public void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        guard.inForce(status().policy());
        guard.rankedInvalidly(cycleResult.work().invalidRankings());
    }

    @Override
    public void tried(CycleResult cycleResult) {
        guard.rankedInvalidly(cycleResult.work().invalidRankings());
    }

    private void run() {
        try {
            while (!closed.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
                check();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Applies the rules once.
    void check() {
        PolicyGuard.Change change = guard.check(clock.instant(), status(), shadowNow());
        if (change != null) {
            carryOut(change);
        }
    }

    private PolicyGuard.Shadow shadowNow() {
        ShadowReplay.Picture picture = shadow.picture();
        return picture == null
                ? new PolicyGuard.Shadow(shadow.policy(), null)
                : new PolicyGuard.Shadow(picture.policy(), picture.differences());
    }

    private void carryOut(PolicyGuard.Change change) {
        try {
            var command =
                    new Command.SetPolicy(change.policy(), BY, change.reason(), change.cause());
            if (cell.apply(command) instanceof Answer.Rejected rejected) {
                LOG.warn("cannot change to policy {}: {}", change.policy(), rejected.problems());
            }
        } catch (CellUnavailable e) {
            LOG.warn("cannot change to policy {} now: {}", change.policy(), e.getMessage());
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
