package io.gpusched.core.place;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Regions;
import io.gpusched.core.policy.PreferredLabel;

import java.util.ArrayList;
import java.util.List;

/// The regions in which a job should run. They count more than all scorers, so that a preference
/// holds under every placement strategy; a region without capacity is passed over.
///
///     prefers eu-west, eu-north   →   cost 0 in eu-west, .5 in eu-north, 1 elsewhere
final class PreferredRegions {
    static final String NAME = "region";

    /// Between two neighbours in the order of regions lies at least this part of the weight.
    private static final int MOST_REGIONS = 64;

    private PreferredRegions() {}

    /// A weight with which one place in the order of regions outweighs everything else.
    static double weight(double others) {
        return StrictMath.ceil(MOST_REGIONS * (1 + others));
    }

    static boolean has(Job job) {
        return !job.spec().carbon().regions().isEmpty();
    }

    static double cost(Job job, Labels node) {
        List<String> regions = job.spec().carbon().regions();
        int at = regions.indexOf(Regions.of(node));
        return at < 0 ? 1 : (double) at / regions.size();
    }

    /// Labels of nodes that must be among those scored.
    static List<PreferredLabel> labels(Job job) {
        var labels = new ArrayList<PreferredLabel>();
        for (String region : job.spec().carbon().regions()) {
            Regions.LABELS.forEach(label -> labels.add(new PreferredLabel(label, region)));
        }
        return labels;
    }
}
