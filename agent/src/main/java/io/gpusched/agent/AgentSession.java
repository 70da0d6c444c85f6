package io.gpusched.agent;

import io.gpusched.agent.task.Lease;
import io.gpusched.wire.proto.agent.AgentMessage;
import io.gpusched.wire.proto.agent.AgentServiceGrpc;
import io.gpusched.wire.proto.agent.HeartbeatRequest;
import io.gpusched.wire.proto.agent.HeartbeatResponse;
import io.gpusched.wire.proto.agent.ReportMetricsRequest;
import io.gpusched.wire.proto.agent.ReportMetricsResponse;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.stub.StreamObserver;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// One session with the scheduler: a stream of heartbeats and a stream of assignments and reports.
/// When one stream ends, the session ends, and messages sent on it may be lost.
final class AgentSession implements AutoCloseable {
    private final long number;
    private final AgentServiceGrpc.AgentServiceStub calls;
    private final Lease lease;
    private final SchedulerConnection.Listener listener;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Context.CancellableContext scope = Context.current().withCancellation();
    private final Map<Long, Long> sentAt = new ConcurrentHashMap<>();
    private final StreamObserver<HeartbeatRequest> heartbeats;
    private final StreamObserver<AgentMessage> work;
    private long sequence;
    private volatile long answeredAt = System.nanoTime();
    private boolean closed;

    AgentSession(long number, Channel channel, Lease lease, SchedulerConnection.Listener listener) {
        this.number = number;
        this.lease = lease;
        this.listener = listener;
        this.calls = AgentServiceGrpc.newStub(channel);
        Context before = scope.attach();
        try {
            this.heartbeats = calls.heartbeat(until(this::granted));
            this.work =
                    calls.receiveJobAssignment(until(message -> listener.received(this, message)));
        } finally {
            scope.detach(before);
        }
    }

    long number() {
        return number;
    }

    /// Sends a heartbeat, which renews the lease. The time is read before the heartbeat is sent.
    void beat() {
        sequence++;
        sentAt.put(sequence, lease.now());
        sentAt.remove(sequence - 100);
        send(
                heartbeats,
                HeartbeatRequest.newBuilder().setSession(number).setSequence(sequence).build());
    }

    /// A response that arrives after the session was closed renews nothing, so that an agent that
    /// has stopped no longer writes its lease.
    private synchronized void granted(HeartbeatResponse response) {
        Long sent = sentAt.remove(response.getSequence());
        if (sent != null && !closed) {
            answeredAt = System.nanoTime();
            lease.renew(sent, Duration.ofMillis(response.getLeaseMillis()));
        }
    }

    /// Nanoseconds since the scheduler last answered.
    long silentFor() {
        return System.nanoTime() - answeredAt;
    }

    /// Sends a message on the stream of assignments and reports; dropped if the session has ended.
    void send(AgentMessage message) {
        send(work, message);
    }

    /// Sends metrics; whether they arrive is not checked.
    void sendMetrics(ReportMetricsRequest readings) {
        calls.withDeadlineAfter(10, TimeUnit.SECONDS)
                .reportMetrics(readings, new IgnoredResponse());
    }

    /// Waits for the end of the session.
    boolean awaitEnd(Duration atMost) {
        try {
            return ended.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        ended.countDown();
        scope.cancel(null);
        listener.closed(this);
    }

    private <T> void send(StreamObserver<T> stream, T message) {
        synchronized (stream) {
            try {
                stream.onNext(message);
            } catch (IllegalStateException e) { // The stream has ended meanwhile.
                ended.countDown();
            }
        }
    }

    private <T> StreamObserver<T> until(Consumer<T> each) {
        return new StreamObserver<>() {
            @Override
            public void onNext(T message) {
                each.accept(message);
            }

            @Override
            public void onError(Throwable problem) {
                ended.countDown();
            }

            @Override
            public void onCompleted() {
                ended.countDown();
            }
        };
    }

    private static final class IgnoredResponse implements StreamObserver<ReportMetricsResponse> {
        @Override
        public void onNext(ReportMetricsResponse response) {}

        @Override
        public void onError(Throwable problem) {}

        @Override
        public void onCompleted() {}
    }
}
