package io.gpusched.core.policy.score;

import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.UsesModel;
import io.gpusched.core.state.ClusterView;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Explores: prefers GPU models on which the speed of such jobs is not known well. The cost falls
/// by the fraction of the runtime that would be saved if the model were faster than expected by two
/// standard deviations. The more is known, the less there is to gain, so exploration ends by
/// itself.
///
/// An exploring job may run longer than necessary, so few may explore: of all jobs in the order of
/// submission a fixed fraction, evenly spread, and no job with a priority above a bound. For the
/// others all costs are equal. Because the number of a job decides, the bound holds for every
/// sequence of jobs, however many are placed at once and after any restart; no counter can be lost.
public final class InformationGain implements UsesModel {
    /// The limit of exploration.
    ///
    /// @param part of the jobs, at most; in any `n` consecutively submitted jobs at most `part ·
    ///        n`, rounded up
    /// @param highestPriority jobs above it never explore
    public record Cap(double part, int highestPriority) {
        public Cap {
            Check.that(part >= 0 && part <= 1, "expected a fraction from 0 to 1, found %s", part);
        }

        boolean lets(Job job) {
            long number = job.id().number();
            return job.priority() <= highestPriority
                    && Math.floor(number * part) > Math.floor((number - 1) * part);
        }
    }

    /// One job in ten, none above the default priority.
    public static final Cap CAP = new Cap(0.1, 100);

    /// How much faster than expected a GPU model may plausibly be, in standard deviations.
    private static final double OPTIMISM = 2;

    private final Cap cap;
    private RuntimeModel model = new RuntimeModel();

    public InformationGain(Cap cap) {
        this.cap = cap;
    }

    @Override
    public String name() {
        return "information-gain";
    }

    @Override
    public void teach(RuntimeModel learned) {
        model = learned;
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        if (!cap.lets(job)) {
            Arrays.fill(cost, 0, candidates.size(), 1);
            return;
        }
        Map<String, Double> known = new LinkedHashMap<>();
        for (int i = 0; i < candidates.size(); i++) {
            Candidate each = candidates.get(i);
            cost[i] =
                    known.computeIfAbsent(
                            JobProfiles.gpu(each.node(), each.grant()), gpu -> unknown(job, gpu));
        }
    }

    private double unknown(Job job, String gpu) {
        double epistemic = model.belief(JobProfiles.of(job.spec(), gpu)).epistemic();
        return StrictMath.exp(-OPTIMISM * epistemic);
    }
}
