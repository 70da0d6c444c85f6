package io.gpusched.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;

import io.gpusched.agent.task.TaskHost;
import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.TaskOrder;
import io.gpusched.wire.proto.agent.TaskRef;
import io.gpusched.wire.proto.agent.TaskReport;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Following logs: when requests are answered, and how often files are read.
final class PendingLogRequestsTest {
    private static final TaskRef TASK = TaskRef.newBuilder().setJob(1).build();

    private final CountingHost host = new CountingHost();
    private final List<LogChunk> answers = new ArrayList<>();
    private long now;
    private final PendingLogRequests waits = new PendingLogRequests(host, () -> now);

    @Test
    void manyFollowersOfAQuietLogCostAsMuchAsOne() {
        for (int follower = 1; follower <= 300; follower++) {
            waits.add(request(follower, 0), answers::add);
        }
        host.looks = 0;
        host.reads = 0;
        for (int tick = 0; tick < 100; tick++) { // Ten seconds.
            pass(Duration.ofMillis(100));
        }
        assertThat(answers).isEmpty();
        assertThat(host.reads).isZero();
        assertThat(host.looks).isLessThanOrEqualTo(20);
    }

    @Test
    void allFollowersAreAnsweredFromOneReading() {
        for (int follower = 1; follower <= 300; follower++) {
            waits.add(request(follower, 0), answers::add);
        }
        host.output = "news";
        host.reads = 0;
        pass(Duration.ofSeconds(1));
        assertThat(host.reads).isOne();
        assertThat(answers).hasSize(300);
        assertThat(answers.stream().map(LogChunk::getRequest).distinct()).hasSize(300);
        assertThat(answers)
                .allSatisfy(
                        chunk -> assertThat(chunk.getContent().toStringUtf8()).isEqualTo("news"));
    }

    @Test
    void newOutputAfterALongSilenceArrivesWithinASecond() {
        waits.add(request(1, 0), answers::add);
        for (int tick = 0; tick < 200; tick++) {
            pass(Duration.ofMillis(100));
        }
        host.output = "at last";
        for (int tick = 0; tick < 10; tick++) {
            pass(Duration.ofMillis(100));
        }
        assertThat(answers).hasSize(1);
    }

    @Test
    void aFollowerGetsAnEmptyAnswerAtItsTimeout() {
        waits.add(request(1, 0), answers::add);
        pass(Duration.ofSeconds(31));
        assertThat(answers).containsExactly(LogChunk.newBuilder().setRequest(1).build());
        pass(Duration.ofSeconds(31));
        assertThat(answers).hasSize(1);
    }

    @Test
    void theEndOfTheTaskAnswersEverybody() {
        waits.add(request(1, 0), answers::add);
        waits.add(request(2, 0), answers::add);
        host.over = true;
        pass(Duration.ofSeconds(1));
        assertThat(answers).hasSize(2).allMatch(LogChunk::getComplete);
    }

    @Test
    void outputThatIsThereIsSentAtOnce() {
        host.output = "old news";
        waits.add(request(1, 4), answers::add);
        assertThat(answers).hasSize(1);
        assertThat(answers.getFirst().getContent().toStringUtf8()).isEqualTo("news");
    }

    private void pass(Duration time) {
        now += time.toNanos();
        waits.answerDue(answers::add);
    }

    private static LogRequest request(long number, long offset) {
        return LogRequest.newBuilder()
                .setRequest(number)
                .setTask(TASK)
                .setOffset(offset)
                .setMaxBytes(1000)
                .setWaitMillis(30_000)
                .build();
    }

    private static final class CountingHost implements TaskHost {
        private String output = "";
        private boolean over;
        private int looks;
        private int reads;

        @Override
        public LogChunk log(LogRequest request) {
            reads++;
            String rest = output.substring((int) Math.min(output.length(), request.getOffset()));
            return LogChunk.newBuilder()
                    .setRequest(request.getRequest())
                    .setOffset(request.getOffset())
                    .setContent(ByteString.copyFromUtf8(rest))
                    .setComplete(over)
                    .build();
        }

        @Override
        public LogMark logMark(TaskRef task) {
            looks++;
            return new LogMark(output.length(), over);
        }

        @Override
        public void watch(Runnable changed) {}

        @Override
        public void converge(String node, List<TaskOrder> wanted) {}

        @Override
        public List<TaskReport> tasks() {
            return List.of();
        }

        @Override
        public void acknowledged(TaskRef task) {}

        @Override
        public void tidy() {}
    }
}
