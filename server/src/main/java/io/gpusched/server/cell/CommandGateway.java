package io.gpusched.server.cell;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Where commands and reports enter the cell: keeps them in a bounded inbox until the
/// [CellThread] takes them.
///
/// It is made before the cell, because the agent services, which the cell sends placements to,
/// report through it.
public final class CommandGateway {
    /// How long a request waits for its answer.
    static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    private static final int CAPACITY = 1 << 16;

    /// How often an input that waits for room checks whether the gateway was closed.
    private static final Duration CHECK_EVERY = Duration.ofMillis(100);

    private final Inbox inbox = new Inbox(CAPACITY);
    private final PendingAnswers pendingAnswers = new PendingAnswers(ANSWER_TIMEOUT);
    private volatile boolean closed;

    /// Sends an input to the cell and waits for its answer, which comes when the input's batch is
    /// durable. Throws [CellUnavailable] if there is no answer; the exception says whether the
    /// input may have been applied.
    public Answer ask(Input input) {
        checkOpen();
        PendingAnswer pendingAnswer = pendingAnswers.begin();
        try {
            if (!inbox.offer(new Inbox.Envelope(input, pendingAnswer))) {
                throw new CellUnavailable("the scheduler cannot keep up", false);
            }
            Answer answer = pendingAnswer.await();
            if (answer == null) {
                throw new CellUnavailable(
                        "no answer within " + ANSWER_TIMEOUT.toSeconds() + " s", true);
            }
            return answer;
        } finally {
            pendingAnswers.end(pendingAnswer);
        }
    }

    /// Sends an input that stays wanted, without waiting for its answer.
    public void tell(Input input, Consumer<Answer> answered) {
        tell(input, () -> true, answered);
    }

    /// Sends an input to the cell and waits only while the inbox is full. `answered` is called
    /// once, on a thread that it must not block. It is never called if the server stops first, or
    /// if the input is no longer `wanted` when the cell takes it.
    public void tell(Input input, BooleanSupplier wanted, Consumer<Answer> answered) {
        var envelope = new Inbox.Envelope(input, wanted, answered);
        try {
            do {
                checkOpen();
            } while (!inbox.put(envelope, CHECK_EVERY));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CellUnavailable("interrupted while waiting for room", false);
        }
    }

    /// Hands in a report, and runs `settled` when it is answered. A report is never refused, so its
    /// answer says nothing more.
    public void report(Report report, BooleanSupplier wanted, Runnable settled) {
        tell(report, wanted, answer -> settled.run());
    }

    /// How many inputs wait for the cell's thread.
    public int waiting() {
        return inbox.size();
    }

    private void checkOpen() {
        if (closed) {
            throw new CellUnavailable("the scheduler is stopping", false);
        }
    }

    /// Takes what has arrived; see [Inbox#take].
    List<Inbox.Envelope> take(Duration patience, int most, long bytes) throws InterruptedException {
        return inbox.take(patience, most, bytes);
    }

    /// Refuses inputs from now on and wakes the cell's thread. Inputs in the inbox stay there.
    void close() {
        closed = true;
        inbox.ring();
    }

    boolean isClosed() {
        return closed;
    }

    /// Wakes the requests that have waited for longer than [#ANSWER_TIMEOUT].
    void expireOldRequests() {
        pendingAnswers.giveUpOld();
    }

    /// Wakes all requests: no answer will come any more.
    void expireAllRequests() {
        pendingAnswers.giveUpAll();
    }
}
