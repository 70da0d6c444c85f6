package io.gpusched.core.policy.score;

import io.gpusched.core.learn.JobProfiles;
import io.gpusched.core.learn.runtime.Belief;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.GpuDataSheet;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.Heat;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Shape;
import io.gpusched.core.policy.Candidate;
import io.gpusched.core.policy.UsesModel;
import io.gpusched.core.state.ClusterView;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Prefers the GPU model on which the job uses the least energy: the power of a busy card times the
/// runtime of the job. The cost is the fraction of the energy that the best candidate would save.
///
/// The runtime is the learned one. On a model without runs of such jobs, it is derived from a model
/// with such runs, by the speeds of the data sheets; from these alone where nothing has been
/// learned.
///
///     nothing learned: 560 W / 989 TFLOPS on an H100, 320 / 312 on an A100   →   0, 0.45
///     learned to take as long on both                                        →   0.43, 0
public final class LeastEnergy implements UsesModel {
    private RuntimeModel model = new RuntimeModel();

    @Override
    public String name() {
        return "fewest-watts";
    }

    @Override
    public void teach(RuntimeModel learned) {
        model = learned;
    }

    @Override
    public void score(
            Job job, Shape shape, List<Candidate> candidates, ClusterView cluster, double[] cost) {
        Map<String, Double> learned = new LinkedHashMap<>();
        for (Candidate each : candidates) {
            learned.computeIfAbsent(
                    JobProfiles.gpu(each.node(), each.grant()), gpu -> seconds(job, gpu));
        }
        double work = work(learned);
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < candidates.size(); i++) {
            String gpu = JobProfiles.gpu(candidates.get(i).node(), candidates.get(i).grant());
            GpuDataSheet sheet = sheet(gpu);
            double known = learned.getOrDefault(gpu, Double.NaN);
            double seconds = Double.isNaN(known) ? work / sheet.teraflops() : known;
            cost[i] = gpu.isEmpty() ? 0 : sheet.watts(1, Heat.COOL) * seconds;
            least = Math.min(least, cost[i]);
        }
        for (int i = 0; i < candidates.size(); i++) {
            cost[i] = cost[i] == 0 ? 0 : 1 - least / cost[i];
        }
    }

    /// NaN where no such job has run on that model.
    private double seconds(Job job, String gpu) {
        Belief belief = model.belief(JobProfiles.of(job.spec(), gpu));
        return belief.samples() == 0 ? Double.NaN : belief.typicalSeconds();
    }

    /// The amount of work, derived from the first model that such jobs ran on; 1 where nothing is
    /// known, since then only proportions matter.
    private static double work(Map<String, Double> learned) {
        for (var entry : learned.entrySet()) {
            if (!Double.isNaN(entry.getValue())) {
                return entry.getValue() * sheet(entry.getKey()).teraflops();
            }
        }
        return 1;
    }

    private static GpuDataSheet sheet(String gpu) {
        return GpuDataSheet.of(gpu.isEmpty() ? "" : GpuModel.parse(gpu).family());
    }
}
