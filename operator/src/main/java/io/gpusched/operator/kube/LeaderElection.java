package io.gpusched.operator.kube;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Lets one of several processes lead: whoever holds a Lease. A leader that cannot reach the server
/// gives up before its lease expires for the others, even while a request is still waiting for an
/// answer. It should have a [KubeApi] of its own, so that its requests never wait behind others.
public final class LeaderElection implements AutoCloseable {
    /// Hears who leads, on the one thread of the election.
    public interface Listener {
        /// This process leads from now on.
        void elected();

        /// This process must end what only a leader may do, at once.
        void lost();
    }

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);

    private final LeaseClaim claim;
    private final LeaseSettings settings;
    private final Listener listener;
    private final InstantSource clock;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean isLeader;
    private volatile Instant renewed = Instant.MIN;
    private String failure = "";

    public LeaderElection(KubeApi api, LeaseSettings settings, Listener listener) {
        this(
                new LeaseClaim(api, settings, InstantSource.system()),
                settings,
                listener,
                InstantSource.system());
    }

    LeaderElection(
            LeaseClaim claim, LeaseSettings settings, Listener listener, InstantSource clock) {
        this.claim = claim;
        this.settings = settings;
        this.listener = listener;
        this.clock = clock;
        this.thread = Thread.ofVirtual().name("leader-election").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /// Whether this process may act as the leader right now.
    public boolean isLeader() {
        return isLeader && clock.instant().isBefore(renewed.plus(settings.renewal()));
    }

    private void run() {
        try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
            while (closing.getCount() > 0) {
                step(requests);
                boolean _ = closing.await(settings.pause().toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end();
        }
    }

    private void step(ExecutorService requests) throws InterruptedException {
        Instant began = clock.instant();
        Future<Boolean> answer = requests.submit(claim::attempt);
        boolean isDenied = false;
        try {
            if (answer.get(remaining(began).toMillis(), TimeUnit.MILLISECONDS)) {
                // The lease counts from before the request: the server may have had it early.
                renewed = began;
                failure = "";
                elect();
                return;
            }
            isDenied = true;
        } catch (TimeoutException e) {
            answer.cancel(true);
            failed("no answer in time");
        } catch (ExecutionException e) {
            failed(String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()));
        }
        if (isLeader && (isDenied || remaining(clock.instant()).isZero())) {
            lose();
        }
    }

    /// A leader waits as long as it is one, another process as long as one renewal may take.
    private Duration remaining(Instant now) {
        if (!isLeader) {
            return settings.renewal();
        }
        Duration left = Duration.between(now, renewed.plus(settings.renewal()));
        return left.isNegative() ? Duration.ZERO : left;
    }

    private void elect() {
        if (!isLeader) {
            isLeader = true;
            LOG.info("{} leads now", settings.identity());
            listener.elected();
        }
    }

    private void lose() {
        isLeader = false;
        LOG.warn("{} does not lead any more", settings.identity());
        listener.lost();
    }

    private void failed(String why) {
        if (!why.equals(failure)) {
            LOG.warn(
                    "the lease {}/{} is out of reach: {}",
                    settings.namespace(),
                    settings.name(),
                    why);
        }
        failure = why;
    }

    private void end() {
        if (isLeader) {
            lose();
            try {
                claim.release();
            } catch (KubeException e) {
                LOG.info("the lease was not released, it will expire: {}", e.getMessage());
            }
        }
    }

    /// Gives the lease up after [Listener#lost] has returned, and waits until that is done.
    @Override
    public void close() {
        closing.countDown();
        try {
            boolean _ = thread.join(settings.lease());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
