package io.gpusched.agent;

import io.gpusched.agent.task.TaskHost;
import io.gpusched.wire.proto.agent.LogChunk;
import io.gpusched.wire.proto.agent.LogRequest;
import io.gpusched.wire.proto.agent.TaskRef;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Requests for output that does not exist yet. Each is answered when there is output, when the
/// task ends, or with an empty answer at its timeout; the client then asks again or gives up.
///
/// All requests for one task share one watch. It reads only the size of the log, and less often
/// while the log does not grow, so that its cost does not depend on the number of followers.
final class PendingLogRequests {
    /// Beyond this many, the oldest request of the same task is answered at once.
    private static final int MOST = 10_000;

    private static final long LONGEST_MILLIS = 60_000;
    private static final long SHORTEST_PAUSE = Duration.ofMillis(100).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofMillis(800).toNanos();

    private record Waiting(LogRequest request, long until) {}

    private static final class Watch {
        private final Queue<Waiting> waiting = new ArrayDeque<>();
        private TaskHost.LogMark mark;
        private long pause = SHORTEST_PAUSE;
        private long lookAt;

        Watch(TaskHost.LogMark mark, long lookAt) {
            this.mark = mark;
            this.lookAt = lookAt;
        }
    }

    private final TaskHost host;
    private final LongSupplier clock;
    private final Map<TaskRef, Watch> watches = new LinkedHashMap<>();
    private int waiting;

    /// @param clock monotonic nanoseconds
    PendingLogRequests(TaskHost host, LongSupplier clock) {
        this.host = host;
        this.clock = clock;
    }

    void add(LogRequest request, Consumer<LogChunk> answer) {
        TaskRef task = request.getTask();
        TaskHost.LogMark mark = host.logMark(task); // Before reading: what comes after is new.
        LogChunk chunk = host.log(request);
        long wait = Math.clamp(request.getWaitMillis(), 0, LONGEST_MILLIS);
        if (wait == 0 || hasContent(chunk)) {
            answer.accept(chunk);
            return;
        }
        long now = clock.getAsLong();
        Watch watch = watches.get(task);
        if (watch == null) {
            watch = new Watch(mark, now + SHORTEST_PAUSE);
            watches.put(task, watch);
        } else if (waiting >= MOST && !watch.waiting.isEmpty()) {
            answer.accept(host.log(watch.waiting.remove().request));
            waiting--;
        }
        watch.waiting.add(new Waiting(request, now + TimeUnit.MILLISECONDS.toNanos(wait)));
        waiting++;
    }

    void answerDue(Consumer<LogChunk> answer) {
        long now = clock.getAsLong();
        for (Iterator<Map.Entry<TaskRef, Watch>> all = watches.entrySet().iterator();
                all.hasNext(); ) {
            Map.Entry<TaskRef, Watch> entry = all.next();
            Watch watch = entry.getValue();
            boolean changed = now - watch.lookAt >= 0 && changed(entry.getKey(), watch, now);
            answer(watch, changed, now, answer);
            if (watch.waiting.isEmpty()) {
                all.remove();
            }
        }
    }

    private boolean changed(TaskRef task, Watch watch, long now) {
        TaskHost.LogMark mark = host.logMark(task);
        boolean changed = !mark.equals(watch.mark);
        watch.mark = mark;
        watch.pause = changed ? SHORTEST_PAUSE : Math.min(2 * watch.pause, LONGEST_PAUSE);
        watch.lookAt = now + watch.pause;
        return changed;
    }

    /// Answers all requests after a change; otherwise those whose timeout is over. Requests for the
    /// same bytes share one read.
    private void answer(Watch watch, boolean changed, long now, Consumer<LogChunk> answer) {
        Map<LogRequest, LogChunk> read = new HashMap<>();
        for (Iterator<Waiting> all = watch.waiting.iterator(); all.hasNext(); ) {
            Waiting one = all.next();
            boolean late = now - one.until >= 0;
            if (!changed && !late) {
                continue;
            }
            LogRequest asked = one.request.toBuilder().clearRequest().clearWaitMillis().build();
            LogChunk chunk = read.computeIfAbsent(asked, host::log);
            if (late || hasContent(chunk)) {
                all.remove();
                waiting--;
                answer.accept(chunk.toBuilder().setRequest(one.request.getRequest()).build());
            }
        }
    }

    private static boolean hasContent(LogChunk chunk) {
        return !chunk.getContent().isEmpty()
                || chunk.getComplete()
                || !chunk.getProblem().isEmpty();
    }

    void clear() {
        watches.clear();
        waiting = 0;
    }
}
