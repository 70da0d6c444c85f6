package io.gpusched.bench.core;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Batch;
import io.gpusched.core.model.Check;
import io.gpusched.core.policy.Policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/// The number of events that the core handles per second.
public final class EventsBench implements Bench {
    @Override
    public String name() {
        return "events";
    }

    @Override
    public String title() {
        return "ledger events through the core";
    }

    @Override
    public String page() {
        return "lab";
    }

    @Override
    public String how() {
        return """
        One thread; time is that thread's time on the processor, so that others on the machine count
        little. Jobs of 1, 2 and 4 whole GPUs live on %,d nodes of 8 GPUs through `Cell.handle` over
        a journal that keeps nothing, without an auditor: %s come with every call, those placed in
        the call before start, and those which ran end. Each life is six events: submitted, placed,
        task running, run begun, task ended, job ended. All of checking, deciding, recording and
        telling nodes is in it. Then the recorded batches are replayed into a fresh engine, as after a
        restart: that is the ledger alone. The median of several rounds is taken.\
        """
                .formatted(JobLifecycles.NODES, JobLifecycles.PER_CALL);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) {
        int jobs = thoroughness.pick(250_000, 5_000);
        int rounds = thoroughness.pick(9, 1);
        var jobLifecycles = new JobLifecycles(false);
        for (int i = 0; i < thoroughness.pick(4, 0); i++) {
            jobLifecycles.live(jobs);
        }
        var rates = new ArrayList<Double>();
        for (int i = 0; i < rounds; i++) {
            long before = jobLifecycles.events();
            double seconds = Stopwatch.seconds(() -> jobLifecycles.live(jobs)).onProcessor();
            rates.add((jobLifecycles.events() - before) / seconds);
        }
        return List.of(
                Figure.of(
                                "events of whole lives, through the cell",
                                median(rates),
                                "events/s",
                                Target.atLeast(1_000_000))
                        .withNote(spread(rates)),
                replayed(jobs, rounds));
    }

    private static Figure replayed(int jobs, int rounds) {
        var jobLifecycles = new JobLifecycles(true);
        List<Batch> batches = jobLifecycles.kept();
        jobLifecycles.live(jobs);
        long events = batches.stream().mapToLong(Batch::size).sum();
        var rates = new ArrayList<Double>();
        for (int i = 0; i < rounds; i++) {
            EngineSettings settings = EngineSettings.DEFAULT;
            Policy policy = Objects.requireNonNull(Policies.named("priority", settings.policy()));
            var engine = new Engine(policy, settings);
            double seconds = Stopwatch.seconds(() -> batches.forEach(engine::apply)).onProcessor();
            Check.that(
                    engine.digest() == jobLifecycles.engine().digest(),
                    "the replay went elsewhere");
            rates.add(events / seconds);
        }
        return Figure.beside("events of the same, replayed", median(rates), "events/s")
                .withNote(spread(rates));
    }

    private static double median(List<Double> values) {
        var sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    private static String spread(List<Double> rates) {
        return String.format(
                Locale.ROOT,
                "%,.0f to %,.0f in %d rounds",
                Collections.min(rates),
                Collections.max(rates),
                rates.size());
    }
}
