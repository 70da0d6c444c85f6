package io.gpusched.server.cell;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Input;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// What has arrived for the cell and waits to be taken. Bounded: people who come when it is
/// full are turned away, which is kinder than to let everybody wait longer and longer; agents wait.
final class Inbox {
    /// Something handed in, and who wants to hear what became of it.
    record Letter(Input input, Consumer<Answer> answered) {}

    private final ArrayBlockingQueue<Letter> queue;

    Inbox(int size) {
        this.queue = new ArrayBlockingQueue<>(size);
    }

    /// False when there is no room.
    boolean offer(Letter letter) {
        return queue.offer(letter);
    }

    /// Waits up to `patience` for room; false when there is none even then.
    boolean put(Letter letter, Duration patience) throws InterruptedException {
        return queue.offer(letter, patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// Everything that has arrived, at most `most`. Waits up to `patience` for the first.
    List<Letter> take(Duration patience, int most) throws InterruptedException {
        List<Letter> taken = new ArrayList<>();
        Letter first = queue.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
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
