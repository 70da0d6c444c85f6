package io.gpusched.server.cell;

import io.gpusched.core.event.Answer;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// A thread that waits for the answer to one input. The thread parks without a deadline, because a
/// deadline for each of many thousand waits a second costs more than the waits; [PendingAnswers]
/// wakes the threads that have waited too long.
final class PendingAnswer implements Consumer<Answer> {
    private final Thread waiter = Thread.currentThread();
    private final long began = System.nanoTime();
    private volatile @Nullable Answer answer;
    private volatile boolean over;

    @Override
    public void accept(Answer given) {
        answer = given;
        LockSupport.unpark(waiter);
    }

    /// Ends the wait without an answer.
    void giveUp() {
        over = true;
        LockSupport.unpark(waiter);
    }

    long waitedNanos() {
        return System.nanoTime() - began;
    }

    /// Waits for the answer; null if none came in time or the thread was interrupted.
    @Nullable Answer await() {
        while (answer == null && !over && !Thread.currentThread().isInterrupted()) {
            LockSupport.park(this);
        }
        return answer;
    }
}
