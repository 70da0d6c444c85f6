package io.gpusched.core.learn;

import io.gpusched.core.model.RuntimeAverages;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// An immutable view of the learned runtimes at one moment, which any thread may query.
///
/// Everything that depends on a pair alone is computed when the view is made, so a choice among
/// candidates is a look-up and an addition for each.
public final class ScoreView {
    /// Neighbours that slow a job down by more than this are named in the answer.
    private static final double SLOWED = 0.10;

    /// A choice explores when the variance of its mean is larger than this.
    private static final double CERTAIN = 1.0;

    /// The assumed mean of a pair that was never seen.
    private static final double UNSEEN_MEAN = 10.0;

    private static final double UNSEEN_VARIANCE = 25.0;

    /// A pair, as far as choices need it; `cost` is the cost without neighbours.
    record Card(double mean, double variance, double sigma, double information, double cost) {
        static Card of(double mean, double variance, ScoreSettings settings) {
            double sigma = Math.sqrt(variance);
            double information = settings.information(variance);
            double cost =
                    mean + settings.uncertainty() * sigma - settings.exploration() * information;
            return new Card(mean, variance, sigma, information, cost);
        }
    }

    /// What is known of one kind of job.
    record Kind(SequencedMap<String, Card> cards, SequencedMap<String, Double> slowdowns) {
        static Kind of(ObservationTable.Kind kind, ScoreSettings settings) {
            var cards = new LinkedHashMap<String, Card>();
            for (var pair : kind.pairs.values()) {
                RuntimeAverages times = pair.alone().count() > 0 ? pair.alone() : pair.together();
                cards.put(pair.gpuModel(), Card.of(times.mean(), times.varianceOfMean(), settings));
            }
            var slowdowns = new LinkedHashMap<String, Double>();
            kind.slowdowns.values().forEach(one -> slowdowns.put(one.neighbour(), one.part()));
            return new Kind(cards, slowdowns);
        }
    }

    private static final Kind UNKNOWN_KIND = new Kind(new LinkedHashMap<>(), new LinkedHashMap<>());

    private final ScoreSettings settings;
    private final SequencedMap<String, Kind> kinds;
    private final Card unseen;

    ScoreView(ScoreSettings settings, SequencedMap<String, Kind> kinds) {
        this.settings = settings;
        this.kinds = Collections.unmodifiableSequencedMap(kinds);
        this.unseen = Card.of(UNSEEN_MEAN, UNSEEN_VARIANCE, settings);
    }

    /// The cheapest candidate, the first of equals; where that choice would explore and may not,
    /// the candidate with the lowest mean. Null when none has the memory.
    ///
    /// @param memoryGb what the job needs on a GPU; 0 where it is not given
    public @Nullable Score score(
            String kind,
            List<GpuType> candidates,
            List<String> neighbours,
            double memoryGb,
            Exploration exploration) {
        Kind known = kinds.getOrDefault(kind, UNKNOWN_KIND);
        double penalty = penalty(known, neighbours);
        double beside = settings.interference() * penalty;
        int cheapest = -1;
        int fastest = -1;
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        double shortest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < candidates.size(); i++) {
            GpuType candidate = candidates.get(i);
            if (!candidate.holds(memoryGb)) {
                continue;
            }
            Card card = known.cards.getOrDefault(candidate.name(), unseen);
            double cost = card.cost + beside;
            if (cost < least) {
                least = cost;
                cheapest = i;
            }
            if (card.mean < shortest) {
                shortest = card.mean;
                fastest = i;
            }
            most = Math.max(most, cost);
        }
        if (cheapest < 0) {
            return null;
        }
        boolean wants = card(known, candidates.get(cheapest)).variance > CERTAIN;
        boolean explores = exploration.decide(wants);
        boolean capped = wants && !explores;
        int chosen = capped ? fastest : cheapest;
        Card card = card(known, candidates.get(chosen));
        double cost = card.cost + beside;
        return new Score(
                chosen,
                most == least ? 50 : Math.clamp(100 * (most - cost) / (most - least), 0, 100),
                avoid(known, neighbours),
                card.mean,
                capped ? Math.min(card.sigma, 1) : card.sigma,
                card.information,
                penalty,
                cost,
                explores);
    }

    private Card card(Kind known, GpuType type) {
        return known.cards.getOrDefault(type.name(), unseen);
    }

    /// How much the neighbours slow the job down, on average; an unknown neighbour counts 0.
    private double penalty(Kind known, List<String> neighbours) {
        if (!settings.useNeighbours() || neighbours.isEmpty()) {
            return 0;
        }
        double sum = 0;
        for (String neighbour : neighbours) {
            sum += known.slowdowns.getOrDefault(neighbour, 0.0);
        }
        return sum / neighbours.size();
    }

    private List<String> avoid(Kind known, List<String> neighbours) {
        if (!settings.useNeighbours() || neighbours.isEmpty()) {
            return List.of();
        }
        var avoid = new ArrayList<String>();
        for (String neighbour : neighbours) {
            if (known.slowdowns.getOrDefault(neighbour, 0.0) > SLOWED
                    && !avoid.contains(neighbour)) {
                avoid.add(neighbour);
            }
        }
        return avoid;
    }

    public ScoreSettings settings() {
        return settings;
    }

    /// The standard error of the means, on average over all pairs; 0 when there are none.
    public double uncertainty() {
        double sum = 0;
        long pairs = 0;
        for (Kind kind : kinds.values()) {
            for (Card card : kind.cards.values()) {
                sum += card.sigma;
                pairs++;
            }
        }
        return pairs == 0 ? 0 : sum / pairs;
    }

    /// How certain the means are, from 0 to 1, on average over all pairs: 1 less the standard error
    /// relative to the mean. NaN when there are no pairs.
    public double certainty() {
        double sum = 0;
        for (Kind kind : kinds.values()) {
            for (Card card : kind.cards.values()) {
                sum += card.mean <= 0 ? 0 : Math.max(0, 1 - card.sigma / card.mean);
            }
        }
        return sum / pairs();
    }

    /// The number of pairs of a kind of job and a model of GPU that have a mean.
    public long pairs() {
        long pairs = 0;
        for (Kind kind : kinds.values()) {
            pairs += kind.cards.size();
        }
        return pairs;
    }
}
