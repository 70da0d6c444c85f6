package io.gpusched.gateway.binding;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Reads one binding again and again and reports its depth. While a binding is degraded nothing is
/// reported, so the scheduler sees old figures as stale and does not scale by them.
///
/// Every reading has a thread of its own. A client that hangs, or a server that sends a byte now
/// and then, is left behind after the timeout.
final class BindingWatch implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(BindingWatch.class);

    private final Binding binding;
    private final SchedulerBindings scheduler;
    private final Pace pace;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile BindingState state = BindingState.NEW;
    private OpenLag openLag = new OpenLag();
    private long sequence;

    BindingWatch(Binding binding, SchedulerBindings scheduler, Pace pace) {
        this.binding = binding;
        this.scheduler = scheduler;
        this.pace = pace;
    }

    Binding binding() {
        return binding;
    }

    BindingState state() {
        return state;
    }

    /// Ends the watch soon; a reading that is under way is not waited for.
    void stop() {
        stopped.countDown();
    }

    @Override
    public void run() {
        try {
            Duration wait = Duration.ZERO;
            while (!stopped.await(wait.toMillis(), TimeUnit.MILLISECONDS)) {
                wait = step();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            discard();
        }
    }

    /// One reading and its report; returns the time until the next.
    private Duration step() throws InterruptedException {
        try {
            change(state.read(readAndReport()));
            return pace.poll();
        } catch (LagProblem e) {
            discard();
            change(state.failed(String.valueOf(e.getMessage())));
            return pace.wait(state.inARow());
        }
    }

    /// The depth at the queue's server, reported to the scheduler.
    private long readAndReport() throws LagProblem, InterruptedException {
        long depth = withinTimeout();
        sequence = Math.max(sequence + 1, System.currentTimeMillis());
        scheduler.report(binding, depth, sequence, pace.poll().toMillis());
        return depth;
    }

    private long withinTimeout() throws LagProblem, InterruptedException {
        OpenLag used = openLag;
        var reading = new FutureTask<>(() -> read(used));
        Thread.ofVirtual().name("binding-" + binding.name()).start(reading);
        try {
            return reading.get(pace.timeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            reading.cancel(true);
            throw LagProblem.late();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof LagProblem problem
                    ? problem
                    : told(Objects.requireNonNullElse(e.getCause(), e));
        }
    }

    /// A failure that no code expects. Its text may repeat the connection string, so only its type
    /// is told.
    private static LagProblem told(Throwable failure) {
        return new LagProblem("the client failed with " + failure.getClass().getSimpleName());
    }

    private long read(OpenLag openLag) throws LagProblem, InterruptedException {
        return openLag.use(
                        () -> Provider.open(binding, binding.connection().reveal(System::getenv)))
                .depth();
    }

    /// Closing may hang as well, so it is not waited for.
    private void discard() {
        OpenLag old = openLag;
        openLag = new OpenLag();
        Thread.ofVirtual().name("binding-close-" + binding.name()).start(old::close);
    }

    private void change(BindingState next) {
        BindingState before = state;
        state = next;
        if (next.isDegraded() && !next.problem().equals(before.problem())) {
            LOG.warn(
                    "binding {} of pool {} is degraded: {}",
                    binding.name(),
                    binding.pool(),
                    next.problem());
        } else if (before.isDegraded() && !next.isDegraded()) {
            LOG.info(
                    "binding {} of pool {} is read: {} messages",
                    binding.name(),
                    binding.pool(),
                    next.depth());
        }
    }
}
