package io.gpusched.core.queue;

import org.jspecify.annotations.Nullable;

/// The jobs of one class in order of their keys.
///
/// Jobs of one class have one priority, so they nearly always arrive in the order in which they
/// leave: those are simply chained, each to the one before it, see [QueueLinks]. Two sorts of jobs
/// go to a small heap beside the chain: the few that arrive out of order (a requeued job keeps its
/// age), and those that left from the middle of the chain and are still part of it.
sealed class ClassQueue permits WaitClass {
    private final QueueLinks queueLinks;

    // The first, the second and the last entry of the chain; undefined while there is none.
    private long firstKey;
    private long firstNumber;
    private long secondKey;
    private long secondNumber;
    private long lastKey;
    private long lastNumber;

    private int chained;
    private @Nullable KeyHeap outOfTurn;

    ClassQueue(QueueLinks queueLinks) {
        this.queueLinks = queueLinks;
    }

    /// The number of entries, those of jobs that left included.
    final int entries() {
        return outOfTurn == null ? chained : chained + outOfTurn.size();
    }

    final long firstKey() {
        KeyHeap beside = besideFirst();
        return beside == null ? firstKey : beside.firstKey();
    }

    final long firstNumber() {
        KeyHeap beside = besideFirst();
        return beside == null ? firstNumber : beside.firstNumber();
    }

    final void add(long key, long number) {
        if (!append(key, number)) {
            if (outOfTurn == null) {
                outOfTurn = new KeyHeap();
            }
            outOfTurn.add(key, number);
        }
    }

    /// Removes the first entry, whether its job still waits here or not.
    final void removeFirst() {
        KeyHeap beside = besideFirst();
        if (beside == null) {
            queueLinks.unchain(firstNumber);
            shift();
        } else {
            removeFirst(beside);
        }
    }

    /// Removes the first entry, whose job waits here and now leaves.
    final void firstLeaves() {
        KeyHeap beside = besideFirst();
        if (beside == null) {
            queueLinks.forget(firstNumber);
            shift();
        } else {
            queueLinks.leave(beside.firstNumber());
            removeFirst(beside);
        }
    }

    /// Removes all entries but those that `stands` accepts, and all but one of equal entries.
    final void keepOnly(Visitor stands) {
        var kept = new KeyHeap();
        while (entries() > 0) {
            if (stands.visit(firstKey(), firstNumber())) {
                kept.add(firstKey(), firstNumber());
            }
            removeFirst();
        }
        while (!kept.isEmpty()) {
            long key = kept.firstKey();
            long number = kept.firstNumber();
            add(key, number);
            while (!kept.isEmpty() && kept.firstNumber() == number && kept.firstKey() == key) {
                kept.removeFirst();
            }
        }
    }

    final void clear() {
        while (chained > 0) {
            queueLinks.unchain(firstNumber);
            shift();
        }
        outOfTurn = null;
    }

    /// Visits entries, and returns whether it wants later ones.
    interface Visitor {
        boolean visit(long key, long number);
    }

    /// Visits all entries, those of jobs that left included; the chained ones in order until the
    /// listener has enough, those that arrived out of order in no order.
    final void forEach(Visitor visitor) {
        long key = firstKey;
        long number = firstNumber;
        for (int i = 0; i < chained && visitor.visit(key, number); i++) {
            key = queueLinks.keyBehind(number);
            number = queueLinks.behind(number);
        }
        if (outOfTurn != null) {
            outOfTurn.forEach(visitor);
        }
    }

    /// The heap when its first entry comes before the chain's; null when the chain's comes first.
    private @Nullable KeyHeap besideFirst() {
        KeyHeap beside = outOfTurn;
        if (beside == null || chained == 0) {
            return beside;
        }
        boolean chainIsFirst =
                firstKey < beside.firstKey()
                        || (firstKey == beside.firstKey() && firstNumber < beside.firstNumber());
        return chainIsFirst ? null : beside;
    }

    /// Appends the job to the chain; false when it cannot be there.
    private boolean append(long key, long number) {
        if (chained > 0) {
            boolean isInTurn = lastKey < key || (lastKey == key && lastNumber < number);
            if (!isInTurn || !QueueLinks.isNear(lastNumber, number) || !queueLinks.chain(number)) {
                return false;
            }
            queueLinks.follow(lastNumber, key, number);
            if (chained == 1) {
                secondKey = key;
                secondNumber = number;
            }
        } else {
            if (!queueLinks.chain(number)) {
                return false;
            }
            firstKey = key;
            firstNumber = number;
        }
        lastKey = key;
        lastNumber = number;
        chained++;
        return true;
    }

    private void removeFirst(KeyHeap beside) {
        beside.removeFirst();
        if (beside.isEmpty()) {
            outOfTurn = null;
        }
    }

    /// Makes the second entry of the chain its first. The new second is looked up at once: it is
    /// mostly in no cache, and prefetching it long before it is needed hides the latency.
    private void shift() {
        chained--;
        firstKey = secondKey;
        firstNumber = secondNumber;
        if (chained > 1) {
            secondKey = queueLinks.keyBehind(firstNumber);
            secondNumber = queueLinks.behind(firstNumber);
        }
    }
}
