package io.gpusched.core.nodes;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Digest;
import io.gpusched.core.model.FaultRules;
import io.gpusched.core.model.ForeignTask;
import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuCondition;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeStatus;
import io.gpusched.core.model.Placement;
import io.gpusched.core.model.RefusedStart;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Slot;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;

/// One node in the ledger: its facts, its usage and its claims. As a [NodeView] it shows what any
/// job may use: what no job claims.
final class NodeEntry implements NodeView {
    private final int index;
    private Node facts;
    private NodeStatus status = NodeStatus.READY;
    private GpuCondition[] conditions;

    private long usedGpus;
    private int countedGpus;
    private long usedMilliCpu;
    private long usedMemoryMiB;
    private int tasks;
    private PartialGpus partial = PartialGpus.NONE;
    private long unfitGpus;
    private long hotGpus;

    private List<RefusedStart> refusals = List.of();
    private ForeignUse foreign = ForeignUse.NONE;

    /// Of each GPU, the slices that other systems are assumed to use; empty where they use none.
    private int[] foreignSlices = new int[0];

    /// GPUs with such slices, one bit each.
    private long foreignSliced;

    /// GPUs that are permanently partitioned into slices, one bit each.
    private long cut;

    private final List<Claim> claims = new ArrayList<>();
    private final SequencedMap<JobId, Integer> housed = new TreeMap<>();

    /// Its group of nodes with equal descriptions, and the labels and size it is found by;
    /// maintained by [NodeIndex].
    NodeIndex.@Nullable Group group;

    Labels labels = Labels.NONE;
    Resources host = Resources.NONE;

    /// Its levels in that group: by idle GPUs, by what shared GPUs have left, and for slices; -1
    /// where it has none.
    int idleShelf = -1;

    int sharedShelf = -1;
    int slicedShelf = -1;

    private long version;

    NodeEntry(int index, Node facts) {
        this.index = index;
        this.facts = facts;
        this.conditions = new GpuCondition[facts.gpus().size()];
        Arrays.fill(conditions, GpuCondition.GOOD);
        this.cut = MigConfig.cutForGood(facts);
    }

    @Override
    public Node facts() {
        return facts;
    }

    @Override
    public NodeStatus status() {
        return status;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public long freeGpus() {
        return freeGpus(HiddenCapacity.FROM_ANY_JOB);
    }

    long freeGpus(HiddenCapacity hidden) {
        long free = idleGpus();
        return claims.isEmpty() ? free : free & ~hidden.claimedGpus(claims, facts.id());
    }

    @Override
    public int leftMilli(int gpu) {
        return leftMilli(gpu, HiddenCapacity.FROM_ANY_JOB);
    }

    int leftMilli(int gpu, HiddenCapacity hidden) {
        if (!canBeShared(gpu)) {
            return 0;
        }
        int left = PartialGpus.WHOLE - partial.milli(gpu);
        return claims.isEmpty()
                ? left
                : Math.max(0, left - hidden.claimedMilli(claims, facts.id(), gpu));
    }

    @Override
    public int leftMemoryMiB(int gpu) {
        return leftMemoryMiB(gpu, HiddenCapacity.FROM_ANY_JOB);
    }

    int leftMemoryMiB(int gpu, HiddenCapacity hidden) {
        if (!canBeShared(gpu)) {
            return 0;
        }
        int left = facts.gpus().get(gpu).memoryMiB() - partial.memoryMiB(gpu);
        return claims.isEmpty()
                ? left
                : Math.max(0, left - hidden.claimedGpuMemory(claims, facts.id(), gpu));
    }

    private boolean canBeShared(int gpu) {
        long taken = usedGpus | foreign.gpus | unfitGpus | slicedGpus() | assumedInUse();
        return gpu < facts.gpus().size() && (taken >>> gpu & 1) == 0 && countedGpus == 0;
    }

    @Override
    public int takenSlices(int gpu) {
        return takenSlices(gpu, HiddenCapacity.FROM_ANY_JOB);
    }

    int takenSlices(int gpu, HiddenCapacity hidden) {
        long taken = usedGpus | foreign.gpus | unfitGpus | partial.shared() | assumedInUse();
        if (gpu >= facts.gpus().size() || (taken >>> gpu & 1) != 0 || countedGpus > 0) {
            return -1;
        }
        int slices = partial.slices(gpu);
        slices |= gpu < foreignSlices.length ? foreignSlices[gpu] : 0;
        return claims.isEmpty() ? slices : slices | hidden.claimedSlices(claims, facts.id(), gpu);
    }

    @Override
    public long sharedGpus() {
        return partial.shared();
    }

    @Override
    public long slicedGpus() {
        return partial.sliced() | foreignSliced;
    }

    /// The most that any shared GPU has left, in thousandths, claims ignored; -1 when none is
    /// shared.
    int mostLeftShared() {
        int most = -1;
        long usable = partial.shared() & ~(foreign.gpus | unfitGpus);
        for (long rest = usable; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            most = Math.max(most, PartialGpus.WHOLE - partial.milli(gpu));
        }
        return most;
    }

    @Override
    public long version() {
        return version;
    }

    @Override
    public boolean isClaimed() {
        return !claims.isEmpty();
    }

    @Override
    public long freeMilliCpu() {
        return freeMilliCpu(HiddenCapacity.FROM_ANY_JOB);
    }

    long freeMilliCpu(HiddenCapacity hidden) {
        long free = unusedMilliCpu();
        return claims.isEmpty() ? free : free - hidden.claimedMilliCpu(claims, facts.id());
    }

    long unusedMilliCpu() {
        return Math.max(0, facts.host().milliCpu() - usedMilliCpu - foreign.milliCpu);
    }

    @Override
    public long freeMemoryMiB() {
        return freeMemoryMiB(HiddenCapacity.FROM_ANY_JOB);
    }

    long freeMemoryMiB(HiddenCapacity hidden) {
        long free = unusedMemoryMiB();
        return claims.isEmpty() ? free : free - hidden.claimedMemoryMiB(claims, facts.id());
    }

    long unusedMemoryMiB() {
        return Math.max(0, facts.host().memoryMiB() - usedMemoryMiB - foreign.memoryMiB);
    }

    @Override
    public long hotGpus() {
        return hotGpus;
    }

    @Override
    public long unfitGpus() {
        return unfitGpus;
    }

    @Override
    public GpuCondition condition(int gpu) {
        return gpu < conditions.length ? conditions[gpu] : GpuCondition.GOOD;
    }

    @Override
    public int tasks() {
        return tasks;
    }

    @Override
    public Iterable<JobId> jobs() {
        return housed.keySet();
    }

    @Override
    public List<ForeignTask> foreign() {
        return foreign.tasks;
    }

    @Override
    public List<RefusedStart> refusals() {
        return refusals;
    }

    /// One job counts once, with its latest refusal.
    void refused(RefusedStart more) {
        var all = new ArrayList<>(refusals);
        all.removeIf(one -> one.job().equals(more.job()));
        all.add(more);
        if (all.size() > FaultRules.MOST_REFUSALS) {
            all.removeFirst();
        }
        refusals = List.copyOf(all);
    }

    void refusedNothing() {
        refusals = List.of();
    }

    @Override
    public long idleGpus() {
        return wholeGpus() & ~assumedInUse();
    }

    /// GPUs of which no task uses a known part.
    private long wholeGpus() {
        long used = usedGpus | foreign.gpus | unfitGpus | partial.touched() | foreignSliced;
        return facts.allGpus() & ~used;
    }

    /// The first of these, which are assumed to be those that are only counted.
    private long assumedInUse() {
        int counted = countedGpus + foreign.counted;
        long whole = counted == 0 ? 0 : wholeGpus() & ~cut;
        return whole & ~ForeignUse.without(counted, whole);
    }

    private void assumeSlices() {
        foreignSliced = 0;
        if (foreign.tasks.isEmpty()) {
            foreignSlices = new int[0];
            return;
        }
        long taken = usedGpus | foreign.gpus | unfitGpus | partial.shared();
        var ours = new int[facts.gpus().size()];
        for (int gpu = 0; gpu < ours.length; gpu++) {
            ours[gpu] = (taken >>> gpu & 1) != 0 ? -1 : partial.slices(gpu);
        }
        foreignSlices = foreign.assumed(facts, ours);
        for (int gpu = 0; gpu < foreignSlices.length; gpu++) {
            foreignSliced |= foreignSlices[gpu] != 0 ? 1L << gpu : 0;
        }
    }

    long usedGpus() {
        return usedGpus | partial.touched();
    }

    void describe(Node next) {
        version++;
        Check.that(next.id().equals(facts.id()), "%s described as %s", facts.id(), next.id());
        conditions = Arrays.copyOf(conditions, next.gpus().size());
        for (int i = 0; i < conditions.length; i++) {
            conditions[i] = conditions[i] == null ? GpuCondition.GOOD : conditions[i];
        }
        facts = next;
        cut = MigConfig.cutForGood(next);
        readConditions();
    }

    void status(NodeStatus next) {
        version++;
        status = next;
    }

    void condition(int gpu, GpuCondition condition) {
        version++;
        if (gpu < conditions.length) {
            conditions[gpu] = condition;
            readConditions();
        }
    }

    private void readConditions() {
        hotGpus = 0;
        unfitGpus = 0;
        for (int i = 0; i < conditions.length; i++) {
            hotGpus |= conditions[i].heat() == Heat.HOT ? 1L << i : 0;
            unfitGpus |= conditions[i].fit() ? 0 : 1L << i;
        }
        assumeSlices();
    }

    void foreign(List<ForeignTask> all) {
        version++;
        foreign = all.isEmpty() ? ForeignUse.NONE : new ForeignUse(all);
        assumeSlices();
    }

    /// A claim counts once, however many of its slots are here.
    void addClaim(Claim claim) {
        version++;
        forget(claim);
        claims.add(claim);
    }

    void forget(Claim claim) {
        version++;
        claims.removeIf(other -> other.id().equals(claim.id()));
    }

    /// Allocates the slot's capacity to a task. Capacity is never exceeded: this is always checked
    /// here.
    void take(Slot slot) {
        checkGpus(slot.grant().mask() & ~facts.allGpus(), "the node does not have them");
        takeBack(slot);
        Check.that(
                usedMilliCpu <= facts.host().milliCpu()
                        && usedMemoryMiB <= facts.host().memoryMiB()
                        && partial.memoryHolds(slot.grant().mask(), facts)
                        && Long.bitCount(usedGpus) + countedGpus <= Gpu.MOST_PER_NODE,
                "more of node %s is allocated than it has",
                facts.id());
    }

    /// Allocates capacity to a task that had it before. The node may have been described smaller
    /// since, so only capacity that two tasks would both hold is refused.
    void takeBack(Slot slot) {
        version++;
        switch (slot.grant()) {
            case Grant.None none -> {}
            case Grant.Whole whole -> {
                checkGpus(whole.gpus() & (usedGpus | partial.touched()), "they are not free");
                usedGpus |= whole.gpus();
            }
            case Grant.Counted counted -> countedGpus += counted.count();
            case Grant.Slices slices -> {
                checkGpus(slices.mask() & usedGpus, "they are held whole");
                partial = partial.take(slices);
            }
            case Grant.Shares shares -> {
                checkGpus(shares.mask() & usedGpus, "they are held whole");
                partial = partial.take(shares);
            }
        }
        usedMilliCpu += slot.host().milliCpu();
        usedMemoryMiB += slot.host().memoryMiB();
        tasks++;
        assumeSlices();
    }

    /// Formats the GPUs only on failure: this runs for every placed task.
    private void checkGpus(long wrong, String why) {
        if (wrong != 0) {
            Check.that(false, "GPUs %s of %s: %s", Placement.indices(wrong), facts.id(), why);
        }
    }

    void release(Slot slot) {
        version++;
        switch (slot.grant()) {
            case Grant.None none -> {}
            case Grant.Whole whole -> {
                checkGpus(whole.gpus() & ~usedGpus, "they are not in use");
                usedGpus &= ~whole.gpus();
            }
            case Grant.Counted counted -> countedGpus -= counted.count();
            case Grant.Slices slices -> partial = partial.release(slices);
            case Grant.Shares shares -> partial = partial.release(shares);
        }
        usedMilliCpu -= slot.host().milliCpu();
        usedMemoryMiB -= slot.host().memoryMiB();
        tasks--;
        assumeSlices();
        Check.that(
                usedMilliCpu >= 0 && usedMemoryMiB >= 0 && tasks >= 0 && countedGpus >= 0,
                "more is returned to node %s than was allocated",
                facts.id());
    }

    void house(JobId job) {
        version++;
        housed.merge(job, 1, Integer::sum);
    }

    void unhouse(JobId job) {
        version++;
        housed.computeIfPresent(job, (id, count) -> count == 1 ? null : count - 1);
    }

    /// The digest of what other systems use; zero where they use nothing.
    long foreignDigest() {
        return foreign.tasks.isEmpty()
                ? 0
                : Digest.mix(Digest.of(facts.id().name()), foreign.digest());
    }

    long digest() {
        long hash = Digest.mix(Digest.of(facts.id().name()), usedGpus);
        hash = Digest.mix(hash, usedMilliCpu);
        hash = Digest.mix(hash, usedMemoryMiB);
        hash = Digest.mix(hash, tasks * 1_000_003L + countedGpus);
        hash = Digest.mix(Digest.mix(hash, unfitGpus), hotGpus);
        hash = Digest.mix(hash, partial.digest());
        for (RefusedStart one : refusals) {
            hash = Digest.mix(Digest.mix(hash, one.job().number()), Instants.micros(one.at()));
        }
        return Digest.mix(
                hash,
                (status.cordoned() ? 1 : 0)
                        + (status.draining() ? 2 : 0)
                        + 4L * status.reach().ordinal());
    }
}
