package io.gpusched.core.queue;

import org.jspecify.annotations.Nullable;

import java.util.function.LongPredicate;

/// The jobs of one class in order of their keys.
///
/// Jobs of one class have one priority, so they nearly always come in the order they leave: those
/// are simply chained, each to the one before it, see [QueueLinks]. The few that come out of turn
/// (a job that is queued again keeps its age), and those that are still part of a chain because
/// they left from the midst of it, go to a small heap beside.
sealed class ClassQueue permits WaitClass {
    private final QueueLinks queueLinks;

    // The first, the second and the last of the chain, of no meaning while there is none.
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

    /// How many entries there are, those of jobs that left included.
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

    /// Removes the first entry, whoever it is of.
    final void removeFirst() {
        KeyHeap beside = besideFirst();
        if (beside == null) {
            queueLinks.unchain(firstNumber);
            shift();
        } else {
            removeFirst(beside);
        }
    }

    /// Removes the first entry, that of a job which stands here and now leaves.
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

    /// Forgets all entries but those of jobs that stand here, and of equal ones all but one.
    final void keepOnly(LongPredicate stands) {
        var kept = new KeyHeap();
        while (entries() > 0) {
            if (stands.test(firstNumber())) {
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

    /// Hears of entries, and says whether it wants to hear of later ones.
    interface Listener {
        boolean hears(long key, long number);
    }

    /// Tells of all entries, those of jobs that left included; of the ones in order until the
    /// hearer has enough, of those that came out of turn in no order.
    final void tell(Listener listener) {
        long key = firstKey;
        long number = firstNumber;
        for (int i = 0; i < chained && listener.hears(key, number); i++) {
            key = queueLinks.keyBehind(number);
            number = queueLinks.behind(number);
        }
        if (outOfTurn != null) {
            outOfTurn.tell(listener);
        }
    }

    /// The heap when its first comes before the chain's; null when the chain's comes first.
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

    /// Puts the job at the end of the chain; false when it cannot stand there.
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

    /// The second of the chain becomes its first. Who is second then is looked up at once: that
    /// place in memory is mostly in no cache, and long before anybody needs it nobody has to wait.
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
