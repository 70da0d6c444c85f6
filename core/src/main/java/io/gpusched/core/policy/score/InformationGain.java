package io.gpusched.core.policy.score;

import io.gpusched.core.learn.RuntimeObserver;
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

/// Prefers GPU models of which it is not known well how fast such jobs run there: the cost falls by
/// the part of the time that would be saved if they were better than thought by as much as they may
/// well be. The more is known the less there is to gain, so trying out ends by itself.
///
/// Who tries out runs longer than need be, so few may: of all jobs in the order they came, a fixed
/// part, evenly spread, and nobody whose priority is above a bound. For the others all is equal.
/// Because the number of a job decides, the bound holds for every stretch of jobs, however many are
/// placed at once and whoever restarts; nothing is counted that could be lost.
public final class InformationGain implements UsesModel {
    /// How much is tried out.
    ///
    /// @param part of the jobs, at most; in any `n` jobs that came one after the other at most
    ///        `part · n`, rounded up
    /// @param highestPriority jobs above it never try anything
    public record Cap(double part, int highestPriority) {
        public Cap {
            Check.that(part >= 0 && part <= 1, "expected a part from 0 to 1, found %s", part);
        }

        boolean lets(Job job) {
            long number = job.id().number();
            return job.priority() <= highestPriority
                    && Math.floor(number * part) > Math.floor((number - 1) * part);
        }
    }

    /// One job in ten, none above the usual priority.
    public static final Cap CAP = new Cap(0.1, 100);

    /// How much better than thought a GPU model may well be, in standard deviations.
    private static final double HOPE = 2;

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
                            RuntimeObserver.gpu(each.node(), each.grant()),
                            gpu -> unknown(job, gpu));
        }
    }

    private double unknown(Job job, String gpu) {
        double epistemic = model.belief(RuntimeObserver.profile(job.spec(), gpu)).epistemic();
        return StrictMath.exp(-HOPE * epistemic);
    }
}
