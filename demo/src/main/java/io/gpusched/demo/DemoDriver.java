package io.gpusched.demo;

import io.gpusched.core.event.Command;
import io.gpusched.core.model.Market;
import io.gpusched.server.cell.CellUnavailable;
import io.gpusched.server.cell.CommandGateway;
import io.gpusched.server.view.PublicState;
import io.gpusched.server.view.View;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Keeps the demo busy: enough jobs that some always wait, but not so many that a visitor's job
/// waits long.
final class DemoDriver implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DemoDriver.class);
    private static final int MOST_PRESENT = 60;
    private static final int MOST_WAITING = 3;
    private static final int FIRST = 30;
    /// What a GPU-hour costs on every machine of the demo.
    private static final Market PRICE = new Market("demo", "true", 2_500_000, 0, false);

    private static final Duration PAUSE = Duration.ofMillis(400);

    private final DemoWorkload demoWorkload = new DemoWorkload(1);
    private final CommandGateway commandGateway;
    private final Supplier<View> views;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = Thread.ofPlatform().name("demo-life").unstarted(this::run);

    DemoDriver(CommandGateway commandGateway, Supplier<View> views) {
        this.commandGateway = commandGateway;
        this.views = views;
    }

    /// Creates the tenants, a price and the first jobs, then continues in the background.
    void start() {
        for (var tenant : DemoWorkload.tenants()) {
            boolean make = views.get().tenants().row(tenant.id()) == null;
            commandGateway.ask(new Command.PutTenant(tenant, make, "demo"));
        }
        commandGateway.ask(new Command.SetMarket(PRICE, "demo"));
        for (int i = 0; i < FIRST; i++) {
            commandGateway.ask(demoWorkload.next());
        }
        thread.start();
    }

    private void run() {
        try {
            while (!closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                if (present(views.get()) < MOST_PRESENT) {
                    submit(demoWorkload.next());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Leaves the job out if enough jobs of its tenant wait: they may wait for its quota while GPUs
    /// are free for others.
    private void submit(Command.Submit job) {
        if (views.get().count(job.spec().tenant(), PublicState.PENDING) >= MOST_WAITING) {
            return;
        }
        try {
            commandGateway.ask(job);
        } catch (CellUnavailable later) {
            LOG.debug("the demo skips a job: {}", later.getMessage());
        }
    }

    private static long present(View view) {
        return view.count(null, PublicState.PENDING)
                + view.count(null, PublicState.PREEMPTED)
                + view.count(null, PublicState.SCHEDULED)
                + view.count(null, PublicState.RUNNING);
    }

    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
