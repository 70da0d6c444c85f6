package io.gpusched.server.http;

import io.gpusched.core.learn.runtime.ModelImage;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.LearnedRuns;
import io.gpusched.server.learn.ModelCopies;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A summary of a copy of the model, for display. It is computed once for all requests until more
/// is learned.
final class ModelSummary {
    private final long version;
    private final RuntimeModel model;
    private final List<RuntimeModel.Learned> runTimes;
    private final List<ModelImage.Pair> interference;

    ModelSummary(ModelCopies.Copy copy) {
        version = copy.version();
        model = RuntimeModel.restored(copy.image());
        runTimes = model.learned();
        interference = model.slowdowns();
    }

    long version() {
        return version;
    }

    List<RuntimeModel.Learned> runTimes() {
        return runTimes;
    }

    List<ModelImage.Pair> interference() {
        return interference;
    }

    /// Number of predicted ranges that could be compared with the real run time.
    long forecasts() {
        return model.score().forecasts();
    }

    /// Share of recent ranges that contained the real run time; the target is eight of ten.
    double coverage() {
        return model.coverage();
    }

    /// The newest runs of each pair of job and GPU, by [#pair].
    synchronized Map<String, LearnedRuns> runs(int most) {
        var byPair = new HashMap<String, LearnedRuns>();
        model.exported(most).forEach(one -> byPair.put(pair(one.kind(), one.gpuModel()), one));
        return byPair;
    }

    static String pair(String kind, String gpu) {
        return kind + '\n' + gpu;
    }
}
