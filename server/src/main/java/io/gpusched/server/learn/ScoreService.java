package io.gpusched.server.learn;

import io.gpusched.core.engine.CycleResult;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.core.learn.ExplorationCounts;
import io.gpusched.core.learn.Learner;
import io.gpusched.core.learn.Score;
import io.gpusched.core.learn.ScoreSettings;
import io.gpusched.core.learn.ScoreView;
import io.gpusched.core.learn.ScoreViewMaker;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.metrics.ScoreMeters;
import io.gpusched.wire.request.ScoreRequest;

import org.jspecify.annotations.Nullable;

/// Scores which GPU model suits a job. Any thread may call it. The follower's thread publishes a
/// new view of the model after each change, before the observation that caused it is acknowledged.
public final class ScoreService implements Follower.BatchListener {
    private static final double NANOS = 1e9;

    private final ScoreCounts counts;
    private final ScoreViewMaker views;
    private final ScoreMeters meters;
    private final GpuTypes types = new GpuTypes();
    private volatile ScoreView view;
    private long version;

    /// @param learner of the follower's engine
    public ScoreService(ScoreSettings settings, Learner learner, ScoreMeters meters) {
        this.counts = new ScoreCounts(settings, learner.explorationCounts());
        this.views = new ScoreViewMaker(settings);
        this.view = views.of(learner.book());
        this.version = learner.book().version();
        this.meters = meters;
        meters.show(this::explorationCounts, () -> view.uncertainty());
    }

    /// The score; null if no candidate has enough memory.
    public @Nullable Score score(ScoreRequest request) {
        long began = System.nanoTime();
        Score score =
                view.score(
                        request.kind(),
                        types.of(request.candidates()),
                        request.neighbours(),
                        request.memoryGb(),
                        counts);
        if (score != null) {
            String chosen = types.of(request.candidates().get(score.chosen())).name();
            meters.decided(chosen, score.explores(), (System.nanoTime() - began) / NANOS);
        }
        return score;
    }

    /// The name under which the model keeps GPUs that a client calls `name`.
    public String gpuModel(String name) {
        return types.of(name).name();
    }

    /// Choices so far, of this process and earlier ones.
    public ExplorationCounts explorationCounts() {
        return counts.explorationCounts();
    }

    /// The learned runtimes as scores use them now.
    public ScoreView view() {
        return view;
    }

    ScoreCounts counts() {
        return counts;
    }

    public ScoreSettings settings() {
        return view.settings();
    }

    @Override
    public void applied(Batch batch, CycleResult cycleResult, Engine engine) {
        for (Event event : batch.facts()) {
            if (event instanceof Event.Observed seen) {
                meters.observed(seen.kind(), seen.gpuModel());
            }
        }
        long now = engine.learner().book().version();
        if (now != version) {
            version = now;
            view = views.of(engine.learner().book());
        }
    }
}
