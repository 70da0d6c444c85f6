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

/// The queue of inputs that wait for the cell's thread. It is bounded: when it is full, requests
/// are refused, so that waiting times stay short, and agents wait.
final class Inbox {
    sealed interface Item {}

    /// An input, and the receiver of its answer.
    ///
    /// @param wanted checked when the input is taken: an input that is no longer wanted is dropped
    record Envelope(Input input, BooleanSupplier wanted, Consumer<Answer> answered)
            implements Item {
        Envelope(Input input, Consumer<Answer> answered) {
            this(input, () -> true, answered);
        }
    }

    /// Wakes the cell's thread and has no other meaning.
    private record Wakeup() implements Item {}

    private final ArrayBlockingQueue<Item> queue;

    Inbox(int size) {
        this.queue = new ArrayBlockingQueue<>(size);
    }

    /// Wakes the cell's thread if it waits for an input.
    void ring() {
        queue.offer(new Wakeup()); // If it is full, the thread is not waiting.
    }

    /// Adds an envelope; false if the queue is full.
    boolean offer(Envelope envelope) {
        return queue.offer(envelope);
    }

    /// Adds an envelope, waiting up to `patience` while the queue is full; false if it still is.
    boolean put(Envelope envelope, Duration patience) throws InterruptedException {
        return queue.offer(envelope, patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// Takes all envelopes that have arrived, at most `most` of them and little more than `bytes`
    /// in size. Waits up to `patience` for the first.
    List<Envelope> take(Duration patience, int most, long bytes) throws InterruptedException {
        var envelopes = new ArrayList<Envelope>();
        Item item = queue.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        long size = 0;
        while (item != null) {
            if (item instanceof Envelope envelope && envelope.wanted.getAsBoolean()) {
                envelopes.add(envelope);
                size += InputSize.of(envelope.input);
            }
            item = envelopes.size() < most && size < bytes ? queue.poll() : null;
        }
        return envelopes;
    }

    int size() {
        return queue.size();
    }
}
