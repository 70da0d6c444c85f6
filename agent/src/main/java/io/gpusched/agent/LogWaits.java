package io.gpusched.agent;

import io.gpusched.agent.task.TaskHost;
import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Requests for output that does not exist yet. Each is answered with the next output, with the end
/// of the task, or with nothing when its time is over; the asker then asks again or gives up.
final class LogWaits {
    /// Beyond this many, the longest waiting one is answered at once.
    private static final int MOST = 256;

    private static final long LONGEST_MILLIS = 60_000;

    private record Waiting(LogRequest request, long until) {}

    private final TaskHost host;
    private final Queue<Waiting> waiting = new ArrayDeque<>();

    LogWaits(TaskHost host) {
        this.host = host;
    }

    void add(LogRequest request, Consumer<LogChunk> answer) {
        long wait = Math.clamp(request.getWaitMillis(), 0, LONGEST_MILLIS);
        waiting.add(new Waiting(request, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait)));
        if (waiting.size() > MOST) {
            answer.accept(host.log(waiting.remove().request));
        }
        answerDue(answer);
    }

    void answerDue(Consumer<LogChunk> answer) {
        long now = System.nanoTime();
        for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
            Waiting one = all.next();
            LogChunk chunk = host.log(one.request);
            boolean speaks =
                    !chunk.getContent().isEmpty()
                            || chunk.getComplete()
                            || !chunk.getProblem().isEmpty();
            if (speaks || now - one.until >= 0) {
                all.remove();
                answer.accept(chunk);
            }
        }
    }

    void clear() {
        waiting.clear();
    }
}
