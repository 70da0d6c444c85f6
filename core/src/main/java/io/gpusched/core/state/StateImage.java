package io.gpusched.core.state;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.IdleTask;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.Phase;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.core.nodes.NodeImage;
import io.gpusched.core.pool.ModelSpec;
import io.gpusched.core.tenants.TenantImage;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Predicate;

/// Everything the ledger holds, as a value: the content of a snapshot file. Derived structures
/// (indexes, usage, queues) are not in it and are rebuilt.
///
/// @param batch the last batch it includes
/// @param ledger the version of the ledger's rules, of [Event.EngineStarted]
/// @param ended ended jobs in the order in which they ended
/// @param carbon the forecasts of the carbon intensity of power
/// @param idle tasks that do not use their GPUs
/// @param lease the longest lease of any agent; zero where it is not known
/// @param policyChanges the last changes of the policy, oldest first
public record StateImage(
        long batch,
        Instant at,
        long term,
        int ledger,
        String policy,
        long lastJob,
        long lastClaim,
        List<TenantImage> tenants,
        List<NodeImage> nodes,
        List<Job> jobs,
        List<JobId> ended,
        List<Claim> claims,
        SequencedMap<String, IdempotencyKeys.Used> keys,
        List<Agent> agents,
        List<PoolImage> pools,
        List<ModelSpec> models,
        ModelLedger.Image cached,
        BindingLedger.Image bindings,
        DeadlineLedger.Image deadlines,
        List<Market> markets,
        List<RegionForecast> carbon,
        Asked asked,
        List<IdleTask> idle,
        Duration lease,
        List<Event.PolicyChanged> policyChanges) {
    /// What the workload asks for: the counts, when they are published next, and what is published.
    public record Asked(
            SequencedMap<TypicalWorkload.Need, Long> counts,
            long publishAt,
            TypicalWorkload typicalWorkload) {
        public Asked {
            counts = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(counts));
        }
    }

    public StateImage {
        tenants = List.copyOf(tenants);
        nodes = List.copyOf(nodes);
        jobs = List.copyOf(jobs);
        ended = List.copyOf(ended);
        claims = List.copyOf(claims);
        keys = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(keys));
        agents = List.copyOf(agents);
        pools = List.copyOf(pools);
        models = List.copyOf(models);
        markets = List.copyOf(markets);
        carbon = List.copyOf(carbon);
        idle = List.copyOf(idle);
        policyChanges = List.copyOf(policyChanges);
    }

    public static StateImage of(ClusterState state, long batch) {
        return new StateImage(
                batch,
                state.lastAt(),
                state.term(),
                state.ledger(),
                state.policy(),
                state.jobs().last(),
                state.lastClaim(),
                state.tenantImages(),
                state.nodes().all().stream().map(NodeImage::of).toList(),
                jobs(state.jobs()),
                state.endedJobs(),
                state.claims(),
                new LinkedHashMap<>(state.idempotencyKeys().all()),
                state.agents().all(),
                state.pools().images(),
                state.models().declared(),
                state.models().image(),
                state.bindings().image(),
                state.deadlineJobs().image(),
                state.nodePrices().all(),
                state.carbon().all(),
                state.asked(),
                state.idleTasks().all(),
                state.agents().lease(),
                state.policyChanges());
    }

    /// What a forecast of some waiting jobs needs: it leaves out ended jobs, and waiting jobs that
    /// `keeps` rejects, unless they hold a claim.
    public static StateImage ahead(ClusterState state, long batch, Predicate<Job> keeps) {
        var reserved = new LinkedHashSet<JobId>();
        for (Claim claim : state.claims()) {
            if (claim.claimHolder() instanceof ClaimHolder.OfJob of) {
                reserved.add(of.job());
            }
        }
        var kept = new ArrayList<Job>();
        for (long number = state.jobs().first(); number <= state.jobs().last(); number++) {
            Job job = state.jobs().job(number);
            if (job != null
                    && !job.ended()
                    && (!job.waiting() || reserved.contains(job.id()) || keeps.test(job))) {
                kept.add(job);
            }
        }
        return new StateImage(
                batch,
                state.lastAt(),
                state.term(),
                state.ledger(),
                state.policy(),
                state.jobs().last(),
                state.lastClaim(),
                state.tenantImages(),
                state.nodes().all().stream().map(NodeImage::of).toList(),
                kept,
                List.of(),
                state.claims(),
                new LinkedHashMap<>(),
                state.agents().all(),
                state.pools().images(),
                state.models().declared(),
                state.models().image(),
                state.bindings().image(),
                state.deadlineJobs().image(),
                state.nodePrices().all(),
                state.carbon().all(),
                state.asked(),
                state.idleTasks().all(),
                state.agents().lease(),
                state.policyChanges());
    }

    /// The same without ended jobs: enough to decide from, and much smaller.
    public StateImage withoutEnded() {
        return new StateImage(
                batch,
                at,
                term,
                ledger,
                policy,
                lastJob,
                lastClaim,
                tenants,
                nodes,
                jobs.stream().filter(job -> !(job.phase() instanceof Phase.Ended)).toList(),
                List.of(),
                claims,
                new LinkedHashMap<>(),
                agents,
                pools,
                models,
                cached,
                bindings,
                deadlines,
                markets,
                carbon,
                asked,
                idle,
                lease,
                policyChanges);
    }

    private static List<Job> jobs(JobTable table) {
        var jobs = new ArrayList<Job>(table.size());
        for (long number = table.first(); number <= table.last(); number++) {
            Job job = table.job(number);
            if (job != null) {
                jobs.add(job);
            }
        }
        return jobs;
    }
}
