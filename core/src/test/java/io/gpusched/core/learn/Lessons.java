package io.gpusched.core.learn;

import io.gpusched.core.event.Event;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// A learner with shortcuts to observe runs and to request scores.
final class Lessons implements Exploration {
    private final Learner learner = new Learner();
    private final ScoreSettings settings;
    private final ScoreViewMaker views;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private ExplorationCounts explorationCounts = ExplorationCounts.NONE;

    Lessons(ScoreSettings settings) {
        this.settings = settings;
        this.views = new ScoreViewMaker(settings);
    }

    static Lessons usual() {
        return new Lessons(ScoreSettings.DEFAULT);
    }

    static Lessons capped(double cap) {
        return new Lessons(ScoreSettings.DEFAULT.withCap(cap));
    }

    static Lessons heedingNeighbours() {
        return new Lessons(ScoreSettings.DEFAULT.withCap(1).withInterference(0.5));
    }

    Learner learner() {
        return learner;
    }

    ExplorationCounts explorationCounts() {
        return explorationCounts;
    }

    Lessons observe(String kind, String gpu, double seconds, String... neighbours) {
        now = now.plusSeconds(1);
        learner.apply(
                new Event.Observed(
                        now,
                        kind,
                        gpu,
                        Duration.ofNanos(Math.round(seconds * 1e9)),
                        List.of(neighbours)));
        return this;
    }

    Score score(String kind, String... candidates) {
        return score(kind, List.of(), candidates);
    }

    Score score(String kind, List<String> neighbours, String... candidates) {
        List<GpuType> types = List.of(candidates).stream().map(GpuType::read).toList();
        return Objects.requireNonNull(view().score(kind, types, neighbours, 0, this));
    }

    ScoreView view() {
        return views.of(learner.book());
    }

    @Override
    public boolean decide(boolean wants) {
        boolean explores =
                wants
                        && explorationCounts.explored()
                                < settings.mayExplore(explorationCounts.total() + 1);
        explorationCounts = explorationCounts.and(1, explores ? 1 : 0);
        return explores;
    }
}
