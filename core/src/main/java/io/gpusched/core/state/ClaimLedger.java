package io.gpusched.core.state;

import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.ClaimId;
import io.gpusched.core.model.Digest;
import io.gpusched.core.model.Instants;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.nodes.NodeLedger;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// The claims' part of the ledger: capacity that is reserved, and capacity that is being freed for
/// a job by preemption.
final class ClaimLedger {
    private final NodeLedger nodes;
    private final JobLedger jobs;
    private final Map<ClaimId, Claim> claims = new LinkedHashMap<>();
    private long last;
    private long digest;

    ClaimLedger(NodeLedger nodes, JobLedger jobs) {
        this.nodes = nodes;
        this.jobs = jobs;
    }

    void put(Claim claim) {
        claims.put(claim.id(), claim);
        last = Math.max(last, claim.id().number());
        digest ^= Digest.of(claim);
        nodes.addClaim(claim);
        if (claim.kind() == Claim.Kind.ROOM
                && claim.claimHolder() instanceof ClaimHolder.OfJob of) {
            jobs.setApart(jobs.existing(of.job()));
        }
    }

    void remove(ClaimId id) {
        Claim claim = Objects.requireNonNull(claims.remove(id));
        digest ^= Digest.of(claim);
        nodes.forget(claim);
        if (claim.claimHolder() instanceof ClaimHolder.OfJob of) {
            Job job = jobs.table.job(of.job().number());
            if (claim.kind() == Claim.Kind.ROOM) {
                jobs.endApart(of.job());
            }
            if (job != null) {
                jobs.tenantHoldsLess(job);
            }
        }
    }

    /// Whether running jobs are being preempted for this job.
    boolean isMadeRoomFor(JobId job) {
        for (Claim claim : claims.values()) {
            if (claim.kind() == Claim.Kind.ROOM && claim.isFor(job)) {
                return true;
            }
        }
        return false;
    }

    /// When the first claim expires; null when none does.
    @Nullable Instant nextExpiry() {
        Instant due = null;
        for (Claim claim : claims.values()) {
            due = Instants.earlier(due, claim.until());
        }
        return due;
    }

    List<Claim> all() {
        return List.copyOf(claims.values());
    }

    /// The number of the latest claim ever made.
    long last() {
        return last;
    }

    void skipTo(long number) {
        last = Math.max(last, number);
    }

    long digest() {
        return digest;
    }
}
