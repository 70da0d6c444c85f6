package io.gpusched.sim.scaling;

import io.gpusched.core.pool.IterationTimes;
import io.gpusched.core.pool.LoadHistory;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.scale.ServiceModel;
import io.gpusched.sim.replica.IterationCost;

import java.util.List;

/// How fast the recorded replicas worked.
///
/// @param observed how many durations of iterations it was fitted to; 0 means that it is assumed
public record ReplicaSpeed(IterationCost cost, int observed) {
    /// The usual setting of serving engines.
    private static final int MOST_REQUESTS = 256;

    private static final int LEAST_CACHE = 8_192;

    static ReplicaSpeed of(LoadHistory history, List<LoadHistory.Sample> reports) {
        ServiceModel model = ServiceModel.fit(history.times());
        int observed = 0;
        for (IterationTimes.Cell cell : history.times().cells()) {
            observed += cell.count();
        }
        double fixed = 1000 * model.fixed();
        return new ReplicaSpeed(
                new IterationCost(
                        fixed,
                        fixed,
                        1000 * model.perRequest(),
                        0,
                        1000 * model.perPromptToken(),
                        ServiceModel.BUDGET,
                        MOST_REQUESTS,
                        cache(reports)),
                observed);
    }

    /// The tokens that fit into the KV cache: what running requests held on average, by the part of
    /// the cache that they used.
    private static int cache(List<LoadHistory.Sample> reports) {
        double tokens =
                RequestReconstruction.meanPrompt(reports)
                        + RequestReconstruction.meanOutput(reports) / 2;
        long running = 0;
        long permille = 0;
        for (LoadHistory.Sample sample : reports) {
            for (ReplicaLoad replica : sample.load().replicas()) {
                if (replica.kvPermille() > 0) {
                    running += replica.running();
                    permille += replica.kvPermille();
                }
            }
        }
        return permille == 0
                ? IterationCost.LLAMA2_70B.cache()
                : (int)
                        Math.clamp(
                                running * tokens * 1000 / permille, LEAST_CACHE, Integer.MAX_VALUE);
    }
}
