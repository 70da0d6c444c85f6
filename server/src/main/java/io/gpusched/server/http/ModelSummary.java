package io.gpusched.server.http;

import io.gpusched.core.learn.runtime.ModelImage;
import io.gpusched.core.learn.runtime.RuntimeModel;
import io.gpusched.core.model.LearnedRuns;
import io.gpusched.server.learn.ModelCopies;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a copy of the model knows, put in a form to be shown. It is made once for all who ask
/// until more is learned.
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

    /// How many ranges were stated and could be compared with what came.
    long forecasts() {
        return model.score().forecasts();
    }

    /// Of the ranges stated lately that were to hold eight of ten, the part that did.
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
