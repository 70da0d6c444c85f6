package io.gpusched.server.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.cell.MemoryJournal;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Outcome;
import io.gpusched.wire.proto.agent.AgentMessage;
import io.gpusched.wire.proto.agent.ServerMessage;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Messages get lost together with their connection, and arrive twice; every job still runs once.
final class ChaosTest {
    private static final int JOBS = 18;

    @TempDir Path directory;

    @Test
    void everyJobRunsExactlyOnceAlthoughMessagesAreLostAndRepeated() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        try (LoopbackScheduler scheduler =
                        new LoopbackScheduler(
                                new MemoryJournal(),
                                LoopbackScheduler.QUICK,
                                1,
                                0,
                                List.of(new Unreliable(new Random(seed))));
                LoopbackAgent _ = new LoopbackAgent("n1", directory, scheduler.port());
                LoopbackAgent _ = new LoopbackAgent("n2", directory, scheduler.port())) {
            List<JobId> jobs = new ArrayList<>();
            for (int i = 0; i < JOBS; i++) {
                int gang = i % 6 == 5 ? 2 : 1;
                jobs.add(
                        scheduler.submit(
                                Specs.script(
                                                "echo $GPU_SCHEDULER_JOB_ID >> "
                                                        + directory.resolve("runs"))
                                        .gpus(gang == 2 ? 3 : 1)
                                        .tasks(gang)
                                        .spec()));
            }
            for (JobId job : jobs) {
                assertThat(scheduler.awaitEnd(job).outcome().result())
                        .as("%s with seed %s: %s", job, seed, scheduler.job(job))
                        .isEqualTo(Outcome.Result.COMPLETED);
                assertThat(scheduler.job(job).attempts())
                        .as("runs of %s, seed %s", job, seed)
                        .isOne();
            }
            List<String> runs = Files.readAllLines(directory.resolve("runs"));
            assertThat(runs).as("seed %s", seed).hasSize(JOBS + JOBS / 6);
        }
    }

    /// Repeats every fourth message of the stream to the agent, and breaks the stream at about
    /// every twenty-fourth, dropping that message.
    private static final class Unreliable implements ServerInterceptor {
        private final Random random;

        Unreliable(Random random) {
            this.random = random;
        }

        private synchronized int dice() {
            return random.nextInt(24);
        }

        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            ServerCall<Q, A> unreliable =
                    new SimpleForwardingServerCall<>(call) {
                        @Override
                        public void sendMessage(A message) {
                            int dice = message instanceof ServerMessage ? dice() : 23;
                            if (dice < 1) {
                                super.close(Status.UNAVAILABLE, new Metadata());
                                return;
                            }
                            super.sendMessage(message);
                            if (dice < 7) {
                                super.sendMessage(message);
                            }
                        }
                    };
            return new SimpleForwardingServerCallListener<>(next.startCall(unreliable, headers)) {
                @Override
                public void onMessage(Q message) {
                    int dice = message instanceof AgentMessage ? dice() : 23;
                    if (dice < 1) {
                        call.close(Status.UNAVAILABLE, new Metadata());
                        return;
                    }
                    super.onMessage(message);
                    if (dice < 7) {
                        super.onMessage(message);
                    }
                }
            };
        }
    }
}
