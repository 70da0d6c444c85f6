package io.gpusched.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.KubeApi;
import io.gpusched.operator.kube.KubeException;
import io.gpusched.operator.kube.LeaderElection;
import io.gpusched.operator.kube.LeaseSettings;
import io.gpusched.operator.kube.ResourceType;
import io.gpusched.operator.scheduler.SchedulerUnavailable;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// One operator of one cluster. Its work is done by a [ClusterWork], which exists only while this
/// process leads; without an election it always leads.
public final class Operator implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Operator.class);
    private static final String LEASE = "gpu-scheduler-operator";
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final KubeApi api;
    private final OperatorSettings settings;
    private final String cluster;
    private final @Nullable HealthServer healthServer;
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable LeaderElection election;
    private @Nullable ClusterWork work;
    private String problem = "this operator does not lead; another one works";

    /// @throws KubeException if the cluster does not say who it is
    Operator(KubeApi api, OperatorSettings settings) throws IOException {
        this.api = api;
        this.settings = settings;
        this.cluster = uid(api);
        this.healthServer =
                settings.healthPort() < 0
                        ? null
                        : new HealthServer(
                                settings.healthPort(),
                                new HealthServer.Sources(
                                        this::broken, this::waiting, this::metrics));
    }

    /// What every cluster has once and keeps.
    private static String uid(KubeApi api) {
        ObjectNode namespace = api.get(ResourceType.NAMESPACES, "", "kube-system");
        return namespace.path("metadata").path("uid").asText();
    }

    String cluster() {
        return cluster;
    }

    /// -1 where there is none.
    int healthPort() {
        return healthServer == null ? -1 : healthServer.port();
    }

    void start() {
        if (!settings.election().wanted()) {
            lead();
            return;
        }
        var chosen =
                new LeaderElection(
                        api,
                        LeaseSettings.of(
                                settings.election().namespace(),
                                LEASE,
                                settings.election().identity()),
                        new LeaderElection.Listener() {
                            @Override
                            public void elected() {
                                lead();
                            }

                            @Override
                            public void lost() {
                                resign();
                            }
                        });
        election = chosen;
        chosen.start();
    }

    private synchronized void lead() {
        if (closed.getCount() > 0 && work == null) {
            var begun = new ClusterWork(api, settings, cluster);
            work = begun;
            Thread.ofVirtual().name("operator-start").start(() -> begin(begun));
        }
    }

    /// Starts the work, again and again until it succeeds or is no longer wanted.
    private void begin(ClusterWork begun) {
        try {
            while (isCurrent(begun) && !attempt(begun)) {
                if (closed.await(RETRY.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean attempt(ClusterWork begun) throws InterruptedException {
        try {
            begun.start();
            tell("");
            return true;
        } catch (KubeException | SchedulerUnavailable e) {
            tell(String.valueOf(e.getMessage()));
            return false;
        }
    }

    private synchronized boolean isCurrent(ClusterWork begun) {
        return begun.equals(work);
    }

    private synchronized void tell(String now) {
        if (!now.isEmpty() && !now.equals(problem)) {
            log.warn("not working yet: {}", now);
        }
        problem = now;
    }

    private void resign() {
        ClusterWork ended;
        synchronized (this) {
            ended = work;
            work = null;
            problem = "this operator does not lead; another one works";
        }
        if (ended != null) {
            ended.close();
        }
    }

    /// Whether this operator is the one that works.
    synchronized boolean leads() {
        return work != null;
    }

    private synchronized String broken() {
        ClusterWork current = work;
        return current == null ? "" : current.broken();
    }

    /// A standby is ready: it does what it is there for.
    private synchronized String waiting() {
        ClusterWork current = work;
        if (current == null) {
            return "";
        }
        return problem.isEmpty() ? current.waiting() : problem;
    }

    private synchronized String metrics() {
        ClusterWork current = work;
        var text = new MetricText();
        text.gauge("leader", "Whether this operator works.", current == null ? 0 : 1);
        if (current != null) {
            current.measure(text);
        }
        return text.toString();
    }

    void awaitClosed() throws InterruptedException {
        closed.await();
    }

    @Override
    public void close() {
        closed.countDown();
        LeaderElection chosen = election;
        if (chosen != null) {
            chosen.close();
        }
        resign();
        if (healthServer != null) {
            healthServer.close();
        }
    }
}
