package io.gpusched.lab.learning;

import io.gpusched.core.engine.Conclusion;
import io.gpusched.core.engine.Cycle;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Event;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.Holder;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Run;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;

/// A cluster in simulated time: an engine, jobs that come, and a heap of runs that will end.
///
///     the next moment ──▶ runs end, jobs come ──▶ the engine lets jobs take turns ──▶ runs begin
///
/// Tasks start at once and nothing breaks. [io.gpusched.sim.Simulation] can do much more; this is
/// for traces of many jobs under an engine that does not preempt.
final class Yard {
    static final AgentId AGENT = new AgentId("yard");

    /// How long a run takes that begins now.
    interface World {
        double seconds(Coming job, Run run, Engine engine);
    }

    /// Hears what happens.
    interface Watcher {
        /// The job begins to run.
        default void starts(int job, Run run, Instant now) {}

        /// The job holds the reservation, again or for the first time.
        default void reserved(int job, Instant from, Instant now) {}

        /// The job has come, and has to wait.
        default void waits(int job, JobId id, Instant now) {}

        default void ends(int job, Instant now) {}
    }

    private record End(Instant at, long order, AttemptId attempt) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final Engine engine;
    private final World world;
    private final Watcher watcher;
    private final PriorityQueue<End> ends = new PriorityQueue<>();
    private final Map<JobId, Integer> numbers = new LinkedHashMap<>();
    private List<Coming> coming = List.of();
    private Instant now = Instant.EPOCH;
    private long order;

    Yard(Engine engine, List<Node> nodes, World world, Watcher watcher) {
        this.engine = engine;
        this.world = world;
        this.watcher = watcher;
        engine.apply(new Event.EngineStarted(now, 1, "yard", "yard"));
        hear(
                new Report.Hello(
                        new Agent(AGENT, Agent.Custody.EXTERNAL, 0),
                        List.copyOf(nodes),
                        List.of()));
    }

    Engine engine() {
        return engine;
    }

    /// Lets all jobs come, in this order, and runs until the last has ended.
    void run(List<Coming> jobs) {
        coming = jobs;
        int next = 0;
        while (next < jobs.size() || !ends.isEmpty()) {
            now = soonest(next < jobs.size() ? jobs.get(next).at() : null);
            endWhatIsOver();
            int first = next;
            while (next < jobs.size() && !jobs.get(next).at().isAfter(now)) {
                submit(next++);
            }
            takeTurns();
            tellWhoWaits(first, next);
        }
        Check.that(numbers.isEmpty(), "%s jobs never started", numbers.size());
    }

    /// The next job, the next end, or when the engine wants to be woken.
    private Instant soonest(@Nullable Instant job) {
        Instant next = job == null ? Instant.MAX : job;
        End end = ends.peek();
        next = end != null && end.at.isBefore(next) ? end.at : next;
        Instant wake = engine.wakeAfter(now);
        next = wake != null && wake.isBefore(next) ? wake : next;
        return next.isBefore(now) ? now : next;
    }

    private void endWhatIsOver() {
        while (!ends.isEmpty() && !ends.peek().at.isAfter(now)) {
            AttemptId attempt = ends.remove().attempt;
            Run run = run(attempt);
            int number = Objects.requireNonNull(numbers.remove(attempt.job()));
            for (int rank = 0; rank < run.tasks().size(); rank++) {
                hear(new Report.TaskEnded(attempt, rank, Exit.SUCCESS));
            }
            watcher.ends(number, now);
        }
    }

    private Run run(AttemptId attempt) {
        Job job = Objects.requireNonNull(engine.state().job(attempt.job()));
        return Objects.requireNonNull(job.phase().run());
    }

    private void submit(int number) {
        Answer answer = hear(new Command.Submit(coming.get(number).spec(), "", 0, false, "yard"));
        JobId id = answer instanceof Answer.Accepted accepted ? accepted.job() : null;
        Check.that(id != null, "job %s was refused: %s", number, answer);
        numbers.put(Objects.requireNonNull(id), number);
    }

    private void takeTurns() {
        Cycle cycle = engine.begin(now);
        engine.takeTurns(cycle);
        Conclusion conclusion = cycle.end();
        var placed = new ArrayDeque<AttemptId>();
        for (Event event : conclusion.events()) {
            switch (event) {
                case Event.AttemptPlaced e -> placed.add(e.attempt());
                case Event.ClaimMade e -> reserved(e.claim());
                default -> {}
            }
        }
        placed.forEach(this::begin);
    }

    private void reserved(Claim claim) {
        if (claim.kind() == Claim.Kind.RESERVATION && claim.holder() instanceof Holder.OfJob of) {
            watcher.reserved(Objects.requireNonNull(numbers.get(of.job())), claim.from(), now);
        }
    }

    private void begin(AttemptId attempt) {
        Run run = run(attempt);
        for (int rank = 0; rank < run.tasks().size(); rank++) {
            hear(new Report.TaskRunning(attempt, rank));
        }
        int number = Objects.requireNonNull(numbers.get(attempt.job()));
        watcher.starts(number, run, now);
        double seconds = world.seconds(coming.get(number), run, engine);
        ends.add(new End(now.plus(Duration.ofMillis((long) (1000 * seconds))), order++, attempt));
    }

    private void tellWhoWaits(int from, int to) {
        if (from == to) {
            return;
        }
        var waiting = new ArrayList<JobId>();
        numbers.forEach(
                (id, number) -> {
                    if (number >= from && isWaiting(id)) {
                        waiting.add(id);
                    }
                });
        for (JobId id : waiting) {
            watcher.waits(Objects.requireNonNull(numbers.get(id)), id, now);
        }
    }

    private boolean isWaiting(JobId id) {
        Job job = engine.state().job(id);
        return job != null && job.waiting();
    }

    private Answer hear(Input input) {
        Answer answer = engine.answer(input, now);
        if (answer instanceof Answer.Accepted accepted) {
            accepted.events().forEach(engine::apply);
        }
        return answer;
    }
}
