package io.gpusched.core.queue;

import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.queue.TenantTree.Queue;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The heads of all classes in queue order, resting classes included, and the heads that may start
/// by how long they have waited. It is kept only while a model ranks the heads.
///
/// A resting class counts among the first because which classes rest is not recorded: if the model
/// saw only classes that are awake, a restart could change what it decides.
public final class RankedHeads {
    private final WaitClasses waitClasses;
    private final JobsByNumber table;
    private final WinnerTree all = new WinnerTree();
    private final WinnerTree awake = new WinnerTree();
    private final WinnerTree blocked = new WinnerTree();

    RankedHeads(WaitClasses waitClasses, JobsByNumber table) {
        this.waitClasses = waitClasses;
        this.table = table;
    }

    /// The first classes in queue order, at most `most`.
    public List<WaitClass> first(int most) {
        var classes = new ArrayList<WaitClass>(most);
        for (int slot : all.smallest(most)) {
            classes.add(waitClasses.at(slot));
        }
        return classes;
    }

    /// The class that is awake whose head has waited longest; null if none is awake.
    public @Nullable WaitClass longestAwake() {
        return at(awake.first());
    }

    /// The class that waits for capacity whose head has waited longest; null if none waits for it.
    public @Nullable WaitClass longestBlocked() {
        return at(blocked.first());
    }

    /// Whether `one` has waited longer than `other`; the smaller number decides between equal ones.
    public static boolean waitedLonger(Job one, Job other) {
        int byWait = one.waitsFrom().compareTo(other.waitsFrom());
        return byWait < 0 || (byWait == 0 && one.id().number() < other.id().number());
    }

    /// The key by which the longest wait comes first.
    public static long waitKey(Job job) {
        return Instants.micros(job.waitsFrom());
    }

    /// The class has another head.
    void head(WaitClass one) {
        all.put(one.slot, one.firstKey(), one.firstNumber());
    }

    /// The class has no jobs left.
    void leave(WaitClass one) {
        all.remove(one.slot);
    }

    /// A class that is being dropped has no head.
    void put(Queue queue, WaitClass one) {
        Job head = table.job(one.head());
        if (head != null) {
            waits(queue).put(one.slot, waitKey(head), one.head());
        }
    }

    void remove(Queue queue, WaitClass one) {
        waits(queue).remove(one.slot);
    }

    private WinnerTree waits(Queue queue) {
        return queue == Queue.AWAKE ? awake : blocked;
    }

    private @Nullable WaitClass at(int slot) {
        return slot < 0 ? null : waitClasses.at(slot);
    }
}
