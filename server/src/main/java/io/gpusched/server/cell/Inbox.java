package io.gpusched.server.cell;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Input;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What has arrived for the cell and waits to be taken. Bounded: who comes when it is full is turned
/// away, which is kinder than to let everybody wait longer and longer.
final class Inbox {
    /// Something handed in, and who wants to hear what became of it.
    record Letter(Input input, Consumer<Answer> answered) {}

    private final ArrayBlockingQueue<Object> queue;

    Inbox(int size) {
        this.queue = new ArrayBlockingQueue<>(size);
    }

    /// Puts in a [Letter], or a `Runnable` for the cell's own thread; false when there is no room.
    boolean offer(Object letterOrErrand) {
        return queue.offer(letterOrErrand);
    }

    /// Everything that has arrived, at most `most`. Waits up to `patience` for the first.
    List<Object> take(Duration patience, int most) throws InterruptedException {
        List<Object> taken = new ArrayList<>();
        @Nullable Object first = queue.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        if (first != null) {
            taken.add(first);
            queue.drainTo(taken, most - 1);
        }
        return taken;
    }

    int size() {
        return queue.size();
    }
}
