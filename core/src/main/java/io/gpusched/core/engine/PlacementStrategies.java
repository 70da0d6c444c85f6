package io.gpusched.core.engine;

import io.gpusched.core.policy.Fitter;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.PlacementStrategy;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.ScoreWeights;
import io.gpusched.core.policy.Scorer;
import io.gpusched.core.policy.WeightedScorer;
import io.gpusched.core.policy.fit.DefaultFitter;
import io.gpusched.core.policy.pack.BalancedFit;
import io.gpusched.core.policy.pack.DotProduct;
import io.gpusched.core.policy.pack.ExpectedWaste;
import io.gpusched.core.policy.pack.ExpectedWasteChoice;
import io.gpusched.core.policy.pack.FragmentationGradient;
import io.gpusched.core.policy.pack.FragmentationGradientChoice;
import io.gpusched.core.policy.pack.GpuClustering;
import io.gpusched.core.policy.pack.GpuPacking;
import io.gpusched.core.policy.pack.RandomChoice;
import io.gpusched.core.policy.pack.RandomNode;
import io.gpusched.core.policy.pack.ShareChoiceFitter;
import io.gpusched.core.policy.score.Availability;
import io.gpusched.core.policy.score.AwakeNodes;
import io.gpusched.core.policy.score.BestFit;
import io.gpusched.core.policy.score.CoolFirst;
import io.gpusched.core.policy.score.DataLocality;
import io.gpusched.core.policy.score.ExpectedRuntime;
import io.gpusched.core.policy.score.InformationGain;
import io.gpusched.core.policy.score.Interconnect;
import io.gpusched.core.policy.score.InterferenceCost;
import io.gpusched.core.policy.score.LeastEnergy;
import io.gpusched.core.policy.score.ModelCache;
import io.gpusched.core.policy.score.NodeCost;
import io.gpusched.core.policy.score.ScarceResources;
import io.gpusched.core.state.TypicalWorkload;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The built-in placement strategies, by name. `best-effort` and `static` are `best-fit` with
/// whole GPUs chosen as NVIDIA's device plug-in does.
public final class PlacementStrategies {
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

    private PlacementStrategies() {}

    /// The placement strategy of the settings; null if there is none of that name.
    public static @Nullable PlacementStrategy named(PlacementSettings settings, boolean avoidHot) {
        PlacementStrategy placementStrategy =
                settings.placer().equals("five-term")
                        ? fiveTerm(settings.weights(), avoidHot)
                        : named(settings.placer(), avoidHot, null, 0);
        return placementStrategy == null || settings.mostScored() == 0
                ? placementStrategy
                : new PlacementStrategy(
                        placementStrategy.name(),
                        placementStrategy.fitter(),
                        placementStrategy.scorers(),
                        settings.mostScored());
    }

    /// The placement strategy of that name, with its default weights; null if there is none.
    ///
    /// @param typicalWorkload the usual requests of the workload; null to use those that the ledger
    ///        has counted
    /// @param seed seed of the random number generator of `random`
    public static @Nullable PlacementStrategy named(
            String name, boolean avoidHot, @Nullable TypicalWorkload typicalWorkload, long seed) {
        Fitter tight = new DefaultFitter(avoidHot, DefaultFitter.Whole.CONNECTED);
        return switch (NAMES.indexOf(name)) {
            case 0 -> fewest(name, avoidHot, DefaultFitter.Whole.CONNECTED);
            case 1 -> everywhere(name, tight, new BalancedFit());
            case 2 -> everywhere(name, tight, new DotProduct());
            case 3 -> everywhere(name, tight, new GpuPacking());
            case 4 -> everywhere(name, tight, new GpuClustering());
            case 5 -> gradient(name, new FragmentationGradient(typicalWorkload), avoidHot);
            case 6 -> chosen(name, new RandomChoice(seed), avoidHot, new RandomNode(seed));
            case 7 -> expectedWaste(name, new ExpectedWaste(typicalWorkload), avoidHot);
            case 8 -> fewest(name, avoidHot, DefaultFitter.Whole.BEST_EFFORT);
            case 9 -> fewest(name, avoidHot, DefaultFitter.Whole.STATIC);
            case 10 -> fiveTerm(ScoreWeights.DEFAULT, avoidHot);
            case 11 -> learned(name, avoidHot);
            case 12 -> powerAware(name, tight);
            case 13 -> thermalAware(name, tight);
            default -> null;
        };
    }

    /// Leaves out terms with zero weight, which would be computed for nothing.
    private static PlacementStrategy fiveTerm(ScoreWeights weights, boolean avoidHot) {
        var scorers = new ArrayList<WeightedScorer>();
        scorers.add(new WeightedScorer(new Availability(), weights.availability()));
        scorers.add(new WeightedScorer(new Interconnect(), weights.topology()));
        scorers.add(new WeightedScorer(new ModelCache(), weights.modelCache()));
        scorers.add(new WeightedScorer(new NodeCost(), weights.cost()));
        scorers.add(new WeightedScorer(new DataLocality(), weights.dataLocality()));
        scorers.removeIf(weightedScorer -> weightedScorer.weight() == 0);
        Fitter inside = new DefaultFitter(avoidHot, DefaultFitter.Whole.CONNECTED);
        return new PlacementStrategy("five-term", inside, scorers, FIVE_TERM_BREADTH);
    }

    /// Prefers the GPU model on which the job runs fastest by the learned runtimes; among equals,
    /// the node that has the least capacity left. One job in ten may explore an unknown model.
    private static PlacementStrategy learned(String name, boolean avoidHot) {
        return new PlacementStrategy(
                name,
                new DefaultFitter(avoidHot, DefaultFitter.Whole.CONNECTED),
                List.of(
                        new WeightedScorer(new ExpectedRuntime(), 1),
                        new WeightedScorer(new InformationGain(InformationGain.CAP), 1),
                        new WeightedScorer(new InterferenceCost(), 1),
                        new WeightedScorer(new BestFit(), 0.05)),
                Policy.EVERY_NODE);
    }

    /// Prefers nodes on which the job takes the least energy; among these, nodes that are in use,
    /// the fullest first, so that idle nodes can sleep.
    private static PlacementStrategy powerAware(String name, Fitter inside) {
        return new PlacementStrategy(
                name,
                inside,
                List.of(
                        new WeightedScorer(new LeastEnergy(), 1),
                        new WeightedScorer(new AwakeNodes(), 0.5),
                        new WeightedScorer(new BestFit(), 0.25)),
                Policy.EVERY_NODE);
    }

    /// Prefers the coolest GPUs; among equals, the node that has the least capacity left.
    private static PlacementStrategy thermalAware(String name, Fitter inside) {
        return new PlacementStrategy(
                name,
                inside,
                List.of(
                        new WeightedScorer(new CoolFirst(), 1),
                        new WeightedScorer(new BestFit(), 0.1)),
                Policy.EVERY_NODE);
    }

    /// Prefers the node that has the least capacity left; `how` says how it chooses whole GPUs
    /// there.
    private static PlacementStrategy fewest(
            String name, boolean avoidHot, DefaultFitter.Whole how) {
        return new PlacementStrategy(
                name,
                new DefaultFitter(avoidHot, how),
                List.of(
                        new WeightedScorer(new BestFit(), 1),
                        new WeightedScorer(new ScarceResources(), 0.25)),
                BREADTH);
    }

    private static PlacementStrategy gradient(
            String name, FragmentationGradient scorer, boolean avoidHot) {
        return chosen(name, new FragmentationGradientChoice(scorer), avoidHot, scorer);
    }

    private static PlacementStrategy expectedWaste(
            String name, ExpectedWaste scorer, boolean avoidHot) {
        return chosen(name, new ExpectedWasteChoice(scorer), avoidHot, scorer);
    }

    private static PlacementStrategy chosen(
            String name, ShareChoiceFitter.Choice choice, boolean avoidHot, Scorer scorer) {
        return everywhere(name, new ShareChoiceFitter(choice, avoidHot), scorer);
    }

    private static PlacementStrategy everywhere(String name, Fitter fitter, Scorer scorer) {
        return new PlacementStrategy(
                name, fitter, List.of(new WeightedScorer(scorer, 1)), Policy.EVERY_NODE);
    }
}
