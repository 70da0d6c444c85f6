package io.gpusched.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.agent.task.Lease;
import io.gpusched.wire.proto.agent.HeartbeatResponse;
import io.gpusched.wire.proto.agent.ServerMessage;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

class AgentSessionTest {
    private final CountedLease lease = new CountedLease();
    private final OpenChannel channel = new OpenChannel();
    private final AgentSession session = new AgentSession(1, channel, lease, new IgnoredEvents());

    @Test
    void aResponseToAHeartbeatRenewsTheLease() {
        session.beat();
        channel.answerHeartbeat(1);
        assertThat(lease.renewals).isEqualTo(1);
    }

    /// The response may be on its way while the agent stops.
    @Test
    void aResponseAfterTheEndOfTheSessionRenewsNothing() {
        session.beat();
        session.close();
        channel.answerHeartbeat(1);
        assertThat(lease.renewals).isZero();
    }

    private static final class CountedLease implements Lease {
        private int renewals;

        @Override
        public long now() {
            return 0;
        }

        @Override
        public void renew(long sentAt, Duration granted) {
            renewals++;
        }

        @Override
        public boolean holds() {
            return true;
        }
    }

    private static final class IgnoredEvents implements SchedulerConnection.Listener {
        @Override
        public void opened(AgentSession opened) {}

        @Override
        public void received(AgentSession from, ServerMessage message) {}

        @Override
        public void closed(AgentSession closed) {}
    }

    /// A channel whose calls stay open; the test answers them.
    private static final class OpenChannel extends Channel {
        private final Map<String, ClientCall.Listener<?>> listeners = new HashMap<>();

        @SuppressWarnings("unchecked")
        void answerHeartbeat(long sequence) {
            var listener =
                    (ClientCall.Listener<HeartbeatResponse>)
                            Objects.requireNonNull(listeners.get("Heartbeat"));
            listener.onMessage(
                    HeartbeatResponse.newBuilder()
                            .setSequence(sequence)
                            .setLeaseMillis(60_000)
                            .build());
        }

        @Override
        public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
            return new ClientCall<>() {
                @Override
                public void start(Listener<R> listener, Metadata headers) {
                    listeners.put(method.getBareMethodName(), listener);
                }

                @Override
                public void request(int messages) {}

                @Override
                public void cancel(@Nullable String message, @Nullable Throwable cause) {}

                @Override
                public void halfClose() {}

                @Override
                public void sendMessage(Q message) {}
            };
        }

        @Override
        public String authority() {
            return "scheduler";
        }
    }
}
