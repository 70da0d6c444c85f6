package io.gpusched.operator.cluster;

import io.gpusched.wire.proto.agent.NodesChanged;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Tells the scheduler of the nodes of a cluster: all of them when a session opens, then every
/// change. Changes of a moment are told together.
public final class NodeTeller implements AutoCloseable {
    private static final long MOMENT_MILLIS = 20;

    private final ClusterPicture picture;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("node-changes").daemon().factory());
    private Consumer<NodesChanged> session = _ -> {};
    private boolean planned;

    public NodeTeller(ClusterPicture picture) {
        this.picture = picture;
        picture.watch(this::plan);
    }

    /// A session has opened; an earlier one has ended.
    public void open(Consumer<NodesChanged> nodes) {
        timer.execute(
                () -> {
                    session = nodes;
                    picture.everything().forEach(session);
                });
    }

    /// Called with the lock of the picture held.
    private synchronized void plan() {
        if (!planned) {
            planned = true;
            try {
                var _ = timer.schedule(this::tell, MOMENT_MILLIS, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                // Closed: nobody is to be told any more.
            }
        }
    }

    private void tell() {
        synchronized (this) {
            planned = false;
        }
        NodesChanged changes = picture.changes();
        if (!changes.equals(NodesChanged.getDefaultInstance())) {
            session.accept(changes);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
