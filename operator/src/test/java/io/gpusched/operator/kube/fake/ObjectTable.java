package io.gpusched.operator.kube.fake;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// All objects of one type with the history of their changes, as far as it is kept.
final class ObjectTable {
    private static final int MOST_HISTORY = 60_000;

    /// What a watch gets next: changes, or that it must end.
    ///
    /// @param isGone the history does not reach back far enough
    record News(List<Change> changes, boolean isGone, boolean isEnded) {}

    private final TreeMap<String, Stored> objects = new TreeMap<>();
    private final ArrayList<Change> history = new ArrayList<>();
    private long forgotten;
    private int ends;

    synchronized @Nullable Stored find(String namespace, String name) {
        return objects.get(Stored.key(namespace, name));
    }

    /// In the order of namespace and name.
    synchronized List<Stored> all() {
        return new ArrayList<>(objects.values());
    }

    synchronized void put(Stored now) {
        Stored before = objects.put(now.key(), now);
        add(new Change(before, now, now));
    }

    /// @param last the last state, with the version of the deletion
    synchronized void remove(Stored last) {
        Stored before = objects.remove(last.key());
        add(new Change(before, null, last));
    }

    private void add(Change change) {
        if (history.size() == MOST_HISTORY) {
            history.subList(0, MOST_HISTORY / 2).clear();
            forgotten = history.getFirst().version() - 1;
        }
        history.add(change);
        notifyAll();
    }

    /// Waits for changes after a version.
    ///
    /// @param end the value of [#ends] when the watch began
    synchronized News await(long version, int end, long millis) throws InterruptedException {
        long deadline = System.nanoTime() + millis * 1_000_000;
        while (version >= forgotten && end == ends && isUpToDate(version)) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        if (version < forgotten) {
            return new News(List.of(), true, false);
        }
        return new News(
                new ArrayList<>(history.subList(after(version), history.size())),
                false,
                end != ends);
    }

    private boolean isUpToDate(long version) {
        return history.isEmpty() || history.getLast().version() <= version;
    }

    /// The place of the first change after a version.
    private int after(long version) {
        int low = 0;
        int high = history.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (history.get(middle).version() <= version) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    synchronized int ends() {
        return ends;
    }

    synchronized void endWatches() {
        ends++;
        notifyAll();
    }

    /// Forgets the history, so that watches from before must begin with a list.
    synchronized void forget(long version) {
        history.clear();
        forgotten = version;
        notifyAll();
    }
}
