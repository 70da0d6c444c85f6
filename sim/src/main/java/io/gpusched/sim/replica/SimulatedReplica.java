package io.gpusched.sim.replica;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// One replica: it answers requests in iterations, as serving engines with continuous batching and
/// chunked prompts do.
///
///     waiting ──▶ prompt is read, in one or more iterations ──▶ decodes, one token an iteration
///
/// An iteration costs the same whatever requests it is made of, so a request needs no work between
/// its first token and its last: it leaves after a known number of iterations.
public final class SimulatedReplica {
    private record Decoding(ServingRequest request, long leaves) {}

    private final IterationCost cost;
    private final AnswerTimes answers;
    private final ArrayDeque<ServingRequest> waiting = new ArrayDeque<>();
    private final PriorityQueue<Decoding> decoding =
            new PriorityQueue<>(
                    Comparator.comparingLong(Decoding::leaves)
                            .thenComparingInt(each -> each.request().number()));
    private final List<ServingRequest> read = new ArrayList<>();
    private final ReplicaCounts counts = new ReplicaCounts();
    private @Nullable ServingRequest reading;
    private int unread;
    private int prompt;
    private long waitingTokens;
    private long held;
    private long iteration;
    private double began;
    private double next = Double.POSITIVE_INFINITY;
    private boolean runs;

    public SimulatedReplica(IterationCost cost, AnswerTimes answers) {
        this.cost = cost;
        this.answers = answers;
    }

    /// Takes a request; an idle replica begins with it at once.
    public void accept(ServingRequest request, double now) {
        waiting.addLast(request);
        waitingTokens += request.prompt();
        if (!runs && next == Double.POSITIVE_INFINITY) {
            next = now;
        }
    }

    /// When an iteration ends or begins next; infinite for an idle replica.
    public double next() {
        return next;
    }

    /// Ends the iteration that runs, if one does, and begins another one if there is work.
    public void step() {
        double now = next;
        if (runs) {
            end(now);
        }
        begin(now);
    }

    private void begin(double now) {
        prompt = prompts(cost.budget() - decoding.size());
        runs = prompt > 0 || !decoding.isEmpty();
        began = now;
        next = runs ? now + cost.seconds(decoding.size(), held, prompt) : Double.POSITIVE_INFINITY;
    }

    /// Chooses the prompt tokens of an iteration; returns how many there are.
    private int prompts(int budget) {
        int left = budget;
        while (left > 0 && (reading != null || admit())) {
            int part = Math.min(left, unread);
            unread -= part;
            left -= part;
            if (unread == 0 && reading != null) {
                read.add(reading);
                reading = null;
            }
        }
        return Math.max(0, budget) - Math.max(0, left);
    }

    private boolean admit() {
        ServingRequest request = waiting.peekFirst();
        if (request == null
                || decoding.size() + read.size() >= cost.requests()
                || held + request.tokens() > cost.cache()) {
            return false;
        }
        waiting.removeFirst();
        waitingTokens -= request.prompt();
        held += request.prompt();
        reading = request;
        unread = request.prompt();
        return true;
    }

    private void end(double now) {
        iteration++;
        held += decoding.size();
        counts.prompt(prompt);
        counts.decoded(decoding.size(), now - began);
        while (!decoding.isEmpty() && decoding.peek().leaves() <= iteration) {
            leave(decoding.remove().request(), now);
        }
        for (ServingRequest request : read) {
            answers.first(request, now);
            counts.first(now - request.arrival());
            if (request.output() <= 1) {
                leave(request, now);
            } else {
                decoding.add(new Decoding(request, iteration + request.output() - 1));
            }
        }
        read.clear();
    }

    private void leave(ServingRequest request, double now) {
        held -= request.tokens() - 1;
        answers.last(request, now);
        counts.answered(request);
    }

    public boolean isIdle() {
        return !runs && waiting.isEmpty();
    }

    /// Requests whose prompt is read or that decode.
    public int running() {
        return decoding.size() + read.size() + (reading == null ? 0 : 1);
    }

    public int waiting() {
        return waiting.size();
    }

    public long waitingTokens() {
        return waitingTokens;
    }

    /// Tokens in the KV cache.
    public long held() {
        return held;
    }

    /// The use of the KV cache, in thousandths.
    public int kvPermille() {
        return (int) (held * 1000 / cost.cache());
    }

    /// How much a router avoids it: the lower, the sooner a new request would be begun.
    public double pressure() {
        return waitingTokens + 0.02 * held + 50.0 * waiting.size();
    }

    /// What it did since the counts were last taken.
    public ReplicaCounts counts() {
        return counts;
    }
}
