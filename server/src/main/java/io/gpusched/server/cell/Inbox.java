package io.gpusched.server.cell;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Input;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// What has arrived for the cell and waits to be taken. Bounded: people who come when it is
/// full are turned away, which is kinder than to let everybody wait longer and longer; agents wait.
final class Inbox {
    sealed interface Item {}

    /// Something handed in, and who wants to hear what became of it.
    ///
    /// @param wanted asked when it is taken: what nobody wants any more is left out
    record Envelope(Input input, BooleanSupplier wanted, Consumer<Answer> answered)
            implements Item {
        Envelope(Input input, Consumer<Answer> answered) {
            this(input, () -> true, answered);
        }
    }

    /// Wakes the taker and means nothing.
    private record Wakeup() implements Item {}

    private final ArrayBlockingQueue<Item> queue;

    Inbox(int size) {
        this.queue = new ArrayBlockingQueue<>(size);
    }

    /// Makes a waiting taker look up.
    void ring() {
        queue.offer(new Wakeup()); // Full: it is not waiting.
    }

    /// False when there is no room.
    boolean offer(Envelope envelope) {
        return queue.offer(envelope);
    }

    /// Waits up to `patience` for room; false when there is none even then.
    boolean put(Envelope envelope, Duration patience) throws InterruptedException {
        return queue.offer(envelope, patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// Everything that has arrived, at most `most` and little more than `bytes` of it. Waits up to
    /// `patience` for the first.
    List<Envelope> take(Duration patience, int most, long bytes) throws InterruptedException {
        var letters = new ArrayList<Envelope>();
        Item item = queue.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        long taken = 0;
        while (item != null) {
            if (item instanceof Envelope envelope && envelope.wanted.getAsBoolean()) {
                letters.add(envelope);
                taken += InputSize.of(envelope.input);
            }
            item = letters.size() < most && taken < bytes ? queue.poll() : null;
        }
        return letters;
    }

    int size() {
        return queue.size();
    }
}
