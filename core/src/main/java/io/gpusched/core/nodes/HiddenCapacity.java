package io.gpusched.core.nodes;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.MigSlot;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Slot;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Computes the capacity of a node that claims hide from a job. A claim hides its capacity from
/// every job but its holder; a reservation hides it only from jobs that might still be running when
/// the reservation begins.
///
///     reservation on n1[0-7] from 14:00, seen at 13:00
///       by its holder: 8 GPUs free · by a job of 30 min: 8 · by a job of 2 h: 0
final class HiddenCapacity {
    /// For a job that holds no claim and has no known end: every claim hides its capacity.
    static final HiddenCapacity FROM_ANY_JOB = new HiddenCapacity(null, Instant.MAX, false, null);

    private final @Nullable JobId job;
    private final Instant endsBy;
    private final boolean first;
    private final @Nullable ReservedCapacity reservedCapacity;

    private HiddenCapacity(
            @Nullable JobId job,
            Instant endsBy,
            boolean first,
            @Nullable ReservedCapacity reservedCapacity) {
        this.job = job;
        this.endsBy = endsBy;
        this.first = first;
        this.reservedCapacity = reservedCapacity;
    }

    /// For `job`, which would end by `endsBy`. If it is the `first` job in the queue, it may use
    /// the capacity that is reserved for jobs behind it.
    static HiddenCapacity from(JobId job, Instant endsBy, boolean first) {
        return new HiddenCapacity(job, endsBy, first, null);
    }

    /// For a job of known start and end, given when each reservation begins and ends.
    static HiddenCapacity by(ReservedCapacity reservedCapacity) {
        return new HiddenCapacity(null, Instant.MAX, false, reservedCapacity);
    }

    long claimedGpus(List<Claim> claims, NodeId node) {
        long mask = 0;
        for (Claim claim : claims) {
            if (hides(claim)) {
                for (Slot slot : claim.slots()) {
                    mask |= slot.node().equals(node) ? slot.grant().mask() : 0;
                }
            }
        }
        return mask;
    }

    /// Claimed thousandths of the GPU; all of it if a claim has it whole or in slices.
    int claimedMilli(List<Claim> claims, NodeId node, int gpu) {
        if (reservedCapacity != null) {
            return (int) reservedCapacity.most(claims, node, slot -> milli(slot, gpu));
        }
        int sum = 0;
        for (Claim claim : claims) {
            if (hides(claim)) {
                for (Slot slot : claim.slots()) {
                    sum += slot.node().equals(node) ? milli(slot, gpu) : 0;
                }
            }
        }
        return sum;
    }

    private static int milli(Slot slot, int gpu) {
        if ((slot.grant().mask() >>> gpu & 1) == 0) {
            return 0;
        }
        return slot.grant() instanceof Grant.Shares shares ? shares.milli() : 1000;
    }

    int claimedGpuMemory(List<Claim> claims, NodeId node, int gpu) {
        if (reservedCapacity != null) {
            return (int) reservedCapacity.most(claims, node, slot -> gpuMemory(slot, gpu));
        }
        int sum = 0;
        for (Claim claim : claims) {
            if (hides(claim)) {
                for (Slot slot : claim.slots()) {
                    sum += slot.node().equals(node) ? gpuMemory(slot, gpu) : 0;
                }
            }
        }
        return sum;
    }

    private static int gpuMemory(Slot slot, int gpu) {
        return (slot.grant().mask() >>> gpu & 1) != 0 && slot.grant() instanceof Grant.Shares some
                ? some.memoryMiB()
                : 0;
    }

    /// Claimed MIG slices of the GPU; all of them if a claim has it whole or in shares.
    int claimedSlices(List<Claim> claims, NodeId node, int gpu) {
        int mask = 0;
        for (Claim claim : claims) {
            if (hides(claim)) {
                for (Slot slot : claim.slots()) {
                    mask |= slot.node().equals(node) ? slices(slot.grant(), gpu) : 0;
                }
            }
        }
        return mask;
    }

    private static int slices(Grant grant, int gpu) {
        if (grant instanceof Grant.Slices slices) {
            int mask = 0;
            for (MigSlot slot : slices.at()) {
                mask |= slot.gpu() == gpu ? PartialGpus.bits(slot) : 0;
            }
            return mask;
        }
        return (grant.mask() >>> gpu & 1) == 0 ? 0 : -1;
    }

    long claimedMilliCpu(List<Claim> claims, NodeId node) {
        if (reservedCapacity != null) {
            return reservedCapacity.most(claims, node, slot -> slot.host().milliCpu());
        }
        long sum = 0;
        for (Claim claim : claims) {
            if (hides(claim)) {
                for (Slot slot : claim.slots()) {
                    sum += slot.node().equals(node) ? slot.host().milliCpu() : 0;
                }
            }
        }
        return sum;
    }

    long claimedMemoryMiB(List<Claim> claims, NodeId node) {
        if (reservedCapacity != null) {
            return reservedCapacity.most(claims, node, slot -> slot.host().memoryMiB());
        }
        long sum = 0;
        for (Claim claim : claims) {
            if (hides(claim)) {
                for (Slot slot : claim.slots()) {
                    sum += slot.node().equals(node) ? slot.host().memoryMiB() : 0;
                }
            }
        }
        return sum;
    }

    private boolean hides(Claim claim) {
        if (reservedCapacity != null) {
            return reservedCapacity.hides(claim);
        }
        if (job != null && claim.isFor(job)) {
            return false;
        }
        return claim.kind() != Claim.Kind.RESERVATION || (!first && endsBy.isAfter(claim.from()));
    }
}
