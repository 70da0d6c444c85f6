package io.gpusched.core.engine;

import io.gpusched.core.policy.Fitter;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.Placer;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.ScoreWeights;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.policy.Weighted;
import io.gpusched.core.policy.fit.InsideNode;
import io.gpusched.core.policy.pack.BalancedFit;
import io.gpusched.core.policy.pack.ChosenShare;
import io.gpusched.core.policy.pack.DotProduct;
import io.gpusched.core.policy.pack.ExpectedWaste;
import io.gpusched.core.policy.pack.ExpectedWasteChoice;
import io.gpusched.core.policy.pack.GpuClustering;
import io.gpusched.core.policy.pack.GpuPacking;
import io.gpusched.core.policy.pack.Gradient;
import io.gpusched.core.policy.pack.GradientChoice;
import io.gpusched.core.policy.pack.RandomChoice;
import io.gpusched.core.policy.pack.RandomNode;
import io.gpusched.core.policy.score.Availability;
import io.gpusched.core.policy.score.BestFit;
import io.gpusched.core.policy.score.Connection;
import io.gpusched.core.policy.score.CoolFirst;
import io.gpusched.core.policy.score.DataLocality;
import io.gpusched.core.policy.score.ExpectedRuntime;
import io.gpusched.core.policy.score.FewestWatts;
import io.gpusched.core.policy.score.InformationGain;
import io.gpusched.core.policy.score.Interference;
import io.gpusched.core.policy.score.ModelCache;
import io.gpusched.core.policy.score.NodeCost;
import io.gpusched.core.policy.score.SpareScarce;
import io.gpusched.core.policy.score.StayAwake;
import io.gpusched.core.state.Typical;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The built-in ways to choose a place, by name. `best-effort` and `static` are `best-fit` with
/// whole GPUs chosen as NVIDIA's device plug-in does.
public final class Placers {
    public static final List<String> NAMES =
            List.of(
                    "best-fit",
                    "balanced-fit",
                    "dot-product",
                    "gpu-packing",
                    "gpu-clustering",
                    "fgd",
                    "random",
                    "expected-waste",
                    "best-effort",
                    "static",
                    "five-term",
                    "learned",
                    "power-aware",
                    "thermal-aware");

    /// Enough nodes to choose from: the best fits are met first, more would mostly add worse ones.
    private static final int BREADTH = 16;

    /// The terms pull in different directions, so more is looked at than where the best come first.
    private static final int FIVE_TERM_BREADTH = 50;

    private Placers() {}

    /// The placer that the settings ask for; null when there is none of that name.
    public static @Nullable Placer named(PlacementSettings settings, boolean avoidHot) {
        Placer placer =
                settings.placer().equals("five-term")
                        ? fiveTerm(settings.weights(), avoidHot)
                        : named(settings.placer(), avoidHot, null, 0);
        return placer == null || settings.mostScored() == 0
                ? placer
                : new Placer(
                        placer.name(), placer.fitter(), placer.scorers(), settings.mostScored());
    }

    /// The placer of that name, with its usual weights; null when there is none.
    ///
    /// @param typical what the workload usually asks for; null to go by what the ledger has counted
    /// @param seed what chance follows from, for `random`
    public static @Nullable Placer named(
            String name, boolean avoidHot, @Nullable Typical typical, long seed) {
        Fitter tight = new InsideNode(avoidHot, InsideNode.Whole.CONNECTED);
        return switch (NAMES.indexOf(name)) {
            case 0 -> fewest(name, avoidHot, InsideNode.Whole.CONNECTED);
            case 1 -> everywhere(name, tight, new BalancedFit());
            case 2 -> everywhere(name, tight, new DotProduct());
            case 3 -> everywhere(name, tight, new GpuPacking());
            case 4 -> everywhere(name, tight, new GpuClustering());
            case 5 -> gradient(name, new Gradient(typical), avoidHot);
            case 6 -> chosen(name, new RandomChoice(seed), avoidHot, new RandomNode(seed));
            case 7 -> expectedWaste(name, new ExpectedWaste(typical), avoidHot);
            case 8 -> fewest(name, avoidHot, InsideNode.Whole.BEST_EFFORT);
            case 9 -> fewest(name, avoidHot, InsideNode.Whole.STATIC);
            case 10 -> fiveTerm(ScoreWeights.DEFAULT, avoidHot);
            case 11 -> learned(name, avoidHot);
            case 12 -> powerAware(name, tight);
            case 13 -> thermalAware(name, tight);
            default -> null;
        };
    }

    /// Terms without weight are left out: they would be worked out for nothing.
    private static Placer fiveTerm(ScoreWeights weights, boolean avoidHot) {
        var scorers = new ArrayList<Weighted>();
        scorers.add(new Weighted(new Availability(), weights.availability()));
        scorers.add(new Weighted(new Connection(), weights.topology()));
        scorers.add(new Weighted(new ModelCache(), weights.modelCache()));
        scorers.add(new Weighted(new NodeCost(), weights.cost()));
        scorers.add(new Weighted(new DataLocality(), weights.dataLocality()));
        scorers.removeIf(weighted -> weighted.weight() == 0);
        Fitter inside = new InsideNode(avoidHot, InsideNode.Whole.CONNECTED);
        return new Placer("five-term", inside, scorers, FIVE_TERM_BREADTH);
    }

    /// Where the job runs fastest, as far as is known; among equals, the node that is left with the
    /// least. One job in ten may be sent where it is not known how fast it runs.
    private static Placer learned(String name, boolean avoidHot) {
        return new Placer(
                name,
                new InsideNode(avoidHot, InsideNode.Whole.CONNECTED),
                List.of(
                        new Weighted(new ExpectedRuntime(), 1),
                        new Weighted(new InformationGain(InformationGain.CAP), 1),
                        new Weighted(new Interference(), 1),
                        new Weighted(new BestFit(), 0.05)),
                Policy.EVERY_NODE);
    }

    /// Where the job takes the least energy; of such nodes, one that is awake already, and the
    /// fullest of these, so that idle nodes can sleep.
    private static Placer powerAware(String name, Fitter inside) {
        return new Placer(
                name,
                inside,
                List.of(
                        new Weighted(new FewestWatts(), 1),
                        new Weighted(new StayAwake(), 0.5),
                        new Weighted(new BestFit(), 0.25)),
                Policy.EVERY_NODE);
    }

    /// The coolest GPUs; among equals, the node that is left with the least.
    private static Placer thermalAware(String name, Fitter inside) {
        return new Placer(
                name,
                inside,
                List.of(new Weighted(new CoolFirst(), 1), new Weighted(new BestFit(), 0.1)),
                Policy.EVERY_NODE);
    }

    /// The node that is left with the least; inside it, whole GPUs are chosen as told.
    private static Placer fewest(String name, boolean avoidHot, InsideNode.Whole how) {
        return new Placer(
                name,
                new InsideNode(avoidHot, how),
                List.of(new Weighted(new BestFit(), 1), new Weighted(new SpareScarce(), 0.25)),
                BREADTH);
    }

    private static Placer gradient(String name, Gradient scorer, boolean avoidHot) {
        return chosen(name, new GradientChoice(scorer), avoidHot, scorer);
    }

    private static Placer expectedWaste(String name, ExpectedWaste scorer, boolean avoidHot) {
        return chosen(name, new ExpectedWasteChoice(scorer), avoidHot, scorer);
    }

    private static Placer chosen(
            String name, ChosenShare.Choice choice, boolean avoidHot, Scorer scorer) {
        return everywhere(name, new ChosenShare(choice, avoidHot), scorer);
    }

    private static Placer everywhere(String name, Fitter fitter, Scorer scorer) {
        return new Placer(name, fitter, List.of(new Weighted(scorer, 1)), Policy.EVERY_NODE);
    }
}
