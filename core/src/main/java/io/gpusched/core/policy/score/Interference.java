package io.gpusched.core.policy.score;

import io.gpusched.core.learn.RunLessons;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.Taught;
import io.gpusched.core.state.ClusterView;

import java.util.ArrayList;
import java.util.List;

/// Keeps jobs that slow each other down from sharing a GPU: the cost is the part of their speed
/// that the job would lose beside those who are there, and they beside the job. Pairs that never
/// met are taken for harmless, so every pair is met sooner or later.
public final class Interference implements Taught {
    private RuntimeModel model = new RuntimeModel();

    @Override
    public String name() {
        return "interference";
    }

    @Override
    public void teach(RuntimeModel learned) {
        model = learned;
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        String kind = RunLessons.profile(job.spec(), "").kind();
        for (int i = 0; i < candidates.size(); i++) {
            Candidate each = candidates.get(i);
            String gpu = RunLessons.gpu(each.node(), each.grant());
            var neighbours = new ArrayList<String>();
            double slower = 1;
            for (Job other : RunLessons.beside(job, each.node(), each.grant(), cluster)) {
                String beside = RunLessons.profile(other.spec(), "").kind();
                neighbours.add(beside);
                slower *= model.slowdown(beside, List.of(kind), gpu).factor();
            }
            slower *= model.slowdown(kind, neighbours, gpu).factor();
            cost[i] = 1 - 1 / slower;
        }
    }
}
