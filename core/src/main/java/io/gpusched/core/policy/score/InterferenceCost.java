package io.gpusched.core.policy.score;

import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.UsesModel;
import io.gpusched.core.state.ClusterView;

import java.util.ArrayList;
import java.util.List;

/// Keeps jobs that slow each other down from sharing a GPU: the cost is the fraction of speed that
/// the job would lose beside its neighbours, and they beside the job. Pairs that never met are
/// assumed to be harmless, so every pair is tried sooner or later.
public final class InterferenceCost implements UsesModel {
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
        String kind = JobProfiles.of(job.spec(), "").kind();
        for (int i = 0; i < candidates.size(); i++) {
            Candidate each = candidates.get(i);
            String gpu = JobProfiles.gpu(each.node(), each.grant());
            var neighbours = new ArrayList<String>();
            double slower = 1;
            for (Job other : JobProfiles.beside(job, each.node(), each.grant(), cluster)) {
                String beside = JobProfiles.of(other.spec(), "").kind();
                neighbours.add(beside);
                slower *= model.slowdown(beside, List.of(kind), gpu).factor();
            }
            slower *= model.slowdown(kind, neighbours, gpu).factor();
            cost[i] = 1 - 1 / slower;
        }
    }
}
