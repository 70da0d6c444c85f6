package io.gpusched.core.state;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Slot;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/// Through whose eyes the ledger is seen. Claims hide capacity from everybody but their holder; a
/// reservation hides it only from those who might still be running when it begins.
///
///     reservation on n1[0-7] from 14:00, seen at 13:00
///       by its holder: 8 GPUs free · by a job of 30 min: 8 · by a job of 2 h: 0
final class Lens {
    private @Nullable JobId looker;
    private Instant endsBy = Instant.MAX;
    private boolean first;

    /// Sees like `job`, which would end by `endsBy`; one that is `first` in line need not heed the
    /// reservation of somebody behind it.
    void lookAs(JobId job, Instant endsBy, boolean first) {
        this.looker = job;
        this.endsBy = endsBy;
        this.first = first;
    }

    /// Sees like nobody in particular: every claim hides.
    void lookAsAnybody() {
        this.looker = null;
        this.endsBy = Instant.MAX;
        this.first = false;
    }

    long promisedGpus(List<Claim> claims, NodeId node) {
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

    long promisedMilliCpu(List<Claim> claims, NodeId node) {
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

    long promisedMemoryMiB(List<Claim> claims, NodeId node) {
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
        if (looker != null && claim.isFor(looker)) {
            return false;
        }
        return claim.kind() != Claim.Kind.RESERVATION || (!first && endsBy.isAfter(claim.from()));
    }
}
