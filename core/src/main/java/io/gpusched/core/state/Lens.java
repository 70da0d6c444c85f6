package io.gpusched.core.state;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Slot;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Through whose eyes the ledger is seen. Claims hide capacity from everybody but their holder; a
/// reservation hides it only from those who might still be running when it begins.
///
///     reservation on n1[0-7] from 14:00, seen at 13:00
///       by its holder: 8 GPUs free · by a job of 30 min: 8 · by a job of 2 h: 0
final class Lens {
    private @Nullable JobId looker;
    private Instant endsBy = Instant.MAX;

    /// Sees like `job`, which would end by `endsBy`.
    void lookAs(JobId job, Instant endsBy) {
        this.looker = job;
        this.endsBy = endsBy;
    }

    /// Sees like nobody in particular: every claim hides.
    void lookAsAnybody() {
        this.looker = null;
        this.endsBy = Instant.MAX;
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
        return claim.kind() != Claim.Kind.RESERVATION || endsBy.isAfter(claim.from());
    }
}
