package io.gpusched.core.policy;

import io.gpusched.core.model.Job;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A scheduling policy: one rule for each of the seven decisions. It is an immutable value; to try
/// another policy, make another one.
///
/// @param breadth how many nodes are scored for a task, or one of each kind where there are more
///        kinds; [#EVERY_NODE] for all that could run it
/// @param ranking how a model orders the queue; null where the order alone does
public record Policy(
        String name,
        QueueOrder order,
        List<Gate> gates,
        List<Filter> filters,
        Fitter fitter,
        List<WeightedScorer> scorers,
        Preemptor preemptor,
        Backfill backfill,
        int breadth,
        @Nullable Ranking ranking) {
    public static final int EVERY_NODE = Integer.MAX_VALUE;

    public Policy {
        gates = List.copyOf(gates);
        filters = List.copyOf(filters);
        scorers = List.copyOf(scorers);
    }

    /// A policy with these rules. What the builder is not told is left out: no gates, filters or
    /// scorers, no backfill that reserves, pools at their smallest size, and every node is scored.
    public static Builder builder(
            String name, QueueOrder order, Fitter fitter, Preemptor preemptor) {
        return new Builder(name, order, fitter, preemptor);
    }

    /// Begins with what this one has.
    public Builder toBuilder() {
        return toBuilder(name);
    }

    private Builder toBuilder(String otherName) {
        Builder builder =
                new Builder(otherName, order, fitter, preemptor)
                        .gates(gates)
                        .filters(filters)
                        .scorers(scorers)
                        .backfill(backfill)
                        .breadth(breadth);
        builder.ranking = ranking;
        return builder;
    }

    /// Whether a job may have the reservation if it is the first that cannot start. Where a model
    /// orders the queue, only jobs that it has kept waiting for too long may.
    public boolean mayReserve(Job job, Instant now) {
        return backfill == Backfill.RESERVE && (ranking == null || ranking.starves(job, now));
    }

    /// Whether jobs that need the same but may run for different times may get different answers
    /// or ranks.
    public boolean goesByLength() {
        return backfill == Backfill.RESERVE
                || backfill == Backfill.CONSERVATIVE
                || gates.stream().anyMatch(Gate::goesByLength);
    }

    /// The same with one more gate, applied last.
    public Policy with(Gate gate) {
        return with(name, gate);
    }

    /// The same under another name and with one more gate, applied last.
    public Policy with(String otherName, Gate gate) {
        var more = new ArrayList<>(gates);
        more.add(gate);
        return toBuilder(otherName).gates(more).build();
    }

    /// Collects the rules of a policy, each by its name.
    public static final class Builder {
        private final String name;
        private final QueueOrder order;
        private List<Gate> gates = List.of();
        private List<Filter> filters = List.of();
        private final Fitter fitter;
        private List<WeightedScorer> scorers = List.of();
        private final Preemptor preemptor;
        private Backfill backfill = Backfill.SKIP;
        private int breadth = EVERY_NODE;
        private @Nullable Ranking ranking;

        private Builder(String name, QueueOrder order, Fitter fitter, Preemptor preemptor) {
            this.name = name;
            this.order = order;
            this.fitter = fitter;
            this.preemptor = preemptor;
        }

        public Builder gates(List<Gate> given) {
            gates = given;
            return this;
        }

        public Builder filters(List<Filter> given) {
            filters = given;
            return this;
        }

        public Builder scorers(List<WeightedScorer> given) {
            scorers = given;
            return this;
        }

        public Builder backfill(Backfill given) {
            backfill = given;
            return this;
        }

        public Builder breadth(int given) {
            breadth = given;
            return this;
        }

        public Builder ranking(Ranking given) {
            ranking = given;
            return this;
        }

        public Policy build() {
            return new Policy(
                    name, order, gates, filters, fitter, scorers, preemptor, backfill, breadth,
                    ranking);
        }
    }
}
