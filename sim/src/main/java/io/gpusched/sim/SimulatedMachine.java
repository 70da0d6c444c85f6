package io.gpusched.sim;

import io.gpusched.core.event.Report;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Assignment;
import io.gpusched.core.model.AttemptId;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Task;
import io.gpusched.core.model.TaskState;
import io.gpusched.sim.scenario.Fault;
import io.gpusched.sim.scenario.HiddenTruth;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The tasks of one simulated agent and their states over time.
///
///     PREPARING ──▶ PREPARED ──(go)──▶ STARTING ──▶ RUNNING ──▶ ENDED
///         └──────────────┴─────────────────┴─(stop)─▶ STOPPING ──▶ ENDED
final class SimulatedMachine {
    /// Receives the reports of a machine.
    interface Reporter {
        void tell(Report report, Instant now);
    }

    /// Identifies a task: its rank within one attempt.
    record TaskKey(AttemptId attempt, int rank) {}

    private enum Stage {
        PREPARING,
        PREPARED,
        STARTING,
        RUNNING,
        STOPPING,
        ENDED
    }

    private static final Duration TRY_LATER = Duration.ofSeconds(60);

    private final AgentId agent;
    private final SimContext around;
    private final Reporter reporter;
    private final Map<TaskKey, LocalTask> tasks = new LinkedHashMap<>();
    private final List<Fault.SlowStart> slow = new ArrayList<>();
    private final List<Fault.StartsRefused> refusing = new ArrayList<>();

    SimulatedMachine(AgentId agent, SimContext around, Reporter reporter) {
        this.agent = agent;
        this.around = around;
        this.reporter = reporter;
    }

    List<Fault.SlowStart> slow() {
        return slow;
    }

    List<Fault.StartsRefused> refusing() {
        return refusing;
    }

    List<Report.Seen> seen() {
        return tasks.values().stream()
                .map(task -> new Report.Seen(task.key.attempt(), task.key.rank(), task.state()))
                .toList();
    }

    /// Changes the node's tasks to the assignment: stops tasks first, then starts new ones.
    void converge(Assignment assignment, Instant now) {
        Set<TaskKey> wanted = new LinkedHashSet<>();
        assignment.tasks().forEach(task -> wanted.add(new TaskKey(task.attempt(), task.rank())));
        for (LocalTask have : List.copyOf(tasks.values())) {
            if (have.task.slot().node().equals(assignment.node()) && !wanted.contains(have.key)) {
                if (!have.ended()) {
                    end(have, stopped(137, "no longer assigned"), now);
                }
                tasks.remove(have.key);
            }
        }
        for (Task task : assignment.tasks()) {
            obey(task, now);
        }
    }

    private void obey(Task task, Instant now) {
        LocalTask have = tasks.get(new TaskKey(task.attempt(), task.rank()));
        if (have == null) {
            begin(task, now);
        } else if (have.ended()) {
            reportEnd(have, now);
        } else {
            switch (task.order()) {
                case Task.Order.Prepare prepare -> {}
                case Task.Order.Run run -> go(have, now);
                case Task.Order.Stop stop -> stop(have, stop.deadline(), now);
            }
        }
    }

    private void begin(Task task, Instant now) {
        var fresh = new LocalTask(task);
        if (task.order() instanceof Task.Order.Stop) {
            tasks.put(fresh.key, fresh);
            end(fresh, stopped(-1, "never started"), now);
            return;
        }
        if (refuses(task.slot().node())) {
            reporter.tell(
                    new Report.StartRefused(
                            task.attempt(),
                            task.rank(),
                            "the node refuses to start tasks",
                            TRY_LATER),
                    now);
            return;
        }
        tasks.put(fresh.key, fresh);
        fresh.go = task.order() instanceof Task.Order.Run;
        boolean alone = task.all().slots().size() == 1;
        if (alone && fresh.go) {
            start(fresh, now);
        } else {
            after(around.clusterDelays().prepare().plus(delay(task)), fresh, now);
        }
    }

    private void go(LocalTask task, Instant now) {
        task.go = true;
        if (task.stage == Stage.PREPARED) {
            start(task, now);
        }
    }

    private void start(LocalTask task, Instant now) {
        task.stage = Stage.STARTING;
        task.occupies = true;
        around.occupancy().begins(task.key, task.task);
        after(around.clusterDelays().start().plus(delay(task.task)), task, now);
    }

    /// Asks the task to stop now and kills it at the deadline. A task that does not run yet stops
    /// at once.
    private void stop(LocalTask task, Instant deadline, Instant now) {
        if (task.stage == Stage.STOPPING) {
            return;
        }
        boolean running = task.stage == Stage.RUNNING;
        task.stage = Stage.STOPPING;
        Duration takes = running ? truth(task).stops() : Duration.ZERO;
        Duration most = Duration.between(now, deadline);
        after(takes.compareTo(most) <= 0 || most.isNegative() ? takes : most, task, now);
    }

    /// A timer has expired; the task ignores it if its state has changed since.
    void due(TaskKey key, int timer, Instant now) {
        LocalTask task = tasks.get(key);
        if (task == null || task.timer != timer) {
            return;
        }
        switch (task.stage) {
            case PREPARING -> {
                task.stage = Stage.PREPARED;
                reporter.tell(new Report.TaskPrepared(key.attempt(), key.rank()), now);
                if (task.go) {
                    start(task, now);
                }
            }
            case STARTING -> run(task, now);
            case RUNNING -> exit(task, now);
            case STOPPING -> end(task, stopped(143, "stopped as asked"), now);
            case PREPARED, ENDED -> {}
        }
    }

    private void run(LocalTask task, Instant now) {
        task.stage = Stage.RUNNING;
        task.began = now;
        reporter.tell(new Report.TaskRunning(task.key.attempt(), task.key.rank()), now);
        pause(task, now);
        Duration limit = task.task.spec().limit();
        Duration left = left(task);
        boolean endless = left.isNegative();
        if (!limit.isZero() && (endless || left.compareTo(limit) > 0)) {
            after(limit, task, now);
        } else if (!endless) {
            after(left, task, now);
        }
    }

    /// Plans the idle reports of a task: the beginning of a pause that is long enough, its length
    /// when the job may be stopped, and its end.
    private void pause(LocalTask task, Instant now) {
        HiddenTruth.Pause pause = truth(task).pause();
        IdleRules idle = around.idle();
        if (task.task.slot().grant().mask() == 0 || pause.length().compareTo(idle.after()) < 0) {
            return;
        }
        Instant begins = now.plus(pause.from());
        measure(task, begins.plus(idle.after()), idle.after());
        if (idle.reclaims() && pause.length().compareTo(idle.patience()) >= 0) {
            measure(task, begins.plus(idle.patience()), idle.patience());
        }
        measure(task, begins.plus(pause.length()), Duration.ZERO);
    }

    private void measure(LocalTask task, Instant at, Duration idleFor) {
        around.events().plan(at, new SimEvent.UseMeasured(agent, task.key, idleFor));
    }

    /// Sends the report if the task still runs.
    void measured(TaskKey key, Duration idleFor, Instant now) {
        LocalTask task = tasks.get(key);
        if (task != null && task.stage == Stage.RUNNING) {
            reporter.tell(new Report.TaskUse(key.attempt(), key.rank(), idleFor), now);
        }
    }

    /// The time that the task will run if nothing stops it; negative for ever. In a gang that
    /// fails, one task fails and the others wait for it.
    private Duration left(LocalTask task) {
        JobId job = task.key.attempt().job();
        int ranks = task.task.all().slots().size();
        boolean waits =
                truth(task).exit() != 0
                        && around.world().failingRank(job, ranks) != task.key.rank();
        Duration left = around.world().left(job, task.task.spec());
        return waits ? Duration.ofSeconds(-1) : left.isNegative() ? Duration.ZERO : left;
    }

    private void exit(LocalTask task, Instant now) {
        Duration left = left(task);
        Duration ran = ran(task, now);
        boolean finished = !left.isNegative() && ran.compareTo(left) >= 0;
        int code = truth(task).exit();
        end(
                task,
                finished
                        ? new Exit(Exit.How.EXITED, code, code == 0 ? "" : "exited by itself")
                        : new Exit(Exit.How.TIMEOUT, 143, "time limit reached"),
                now);
    }

    /// The lease has expired: all tasks are stopped, and their ends are reported later.
    void fence(Instant now) {
        for (LocalTask task : tasks.values()) {
            if (!task.ended()) {
                end(task, stopped(137, "cut off for longer than the lease"), now);
            }
        }
    }

    /// Tasks on GPUs that the node no longer has end.
    void keepGpus(Node node, Instant now) {
        for (LocalTask task : List.copyOf(tasks.values())) {
            boolean here = task.task.slot().node().equals(node.id());
            boolean gone = (task.task.slot().grant().mask() & ~node.allGpus()) != 0;
            if (here && gone && !task.ended()) {
                end(task, new Exit(Exit.How.SIGNALLED, 134, "its GPU is gone"), now);
            }
        }
    }

    /// The machine loses power: all tasks end without a report.
    void loseEverything(Instant now) {
        for (LocalTask task : tasks.values()) {
            leave(task, now);
        }
        tasks.clear();
    }

    private void end(LocalTask task, Exit exit, Instant now) {
        leave(task, now);
        task.timer++;
        task.stage = Stage.ENDED;
        task.exit = exit;
        reportEnd(task, now);
    }

    private void leave(LocalTask task, Instant now) {
        if (task.occupies) {
            task.occupies = false;
            around.occupancy().ends(task.key, task.task);
            if (task.key.rank() == 0) {
                save(task, ran(task, now));
            }
        }
    }

    /// A run that saves work at checkpoints leaves it to the next run however it ends; a run that
    /// saves work when it stops leaves it only if it was asked to stop.
    private void save(LocalTask task, Duration ran) {
        JobDeadline deadline = task.task.spec().deadline();
        if (deadline != null) {
            // What a start costs includes the work since the last checkpoint.
            Duration kept = ran.minus(deadline.restartOrUsual());
            around.world().save(task.key.attempt().job(), kept.isNegative() ? Duration.ZERO : kept);
            return;
        }
        Duration every = around.checkpointEvery();
        if (task.stage == Stage.STOPPING || !every.isZero()) {
            Duration lost = task.task.spec().onLoss().lost(ran, every);
            around.world().save(task.key.attempt().job(), ran.minus(lost));
        }
    }

    private void reportEnd(LocalTask task, Instant now) {
        Exit exit = task.exit;
        if (exit != null) {
            reporter.tell(new Report.TaskEnded(task.key.attempt(), task.key.rank(), exit), now);
        }
    }

    private void after(Duration delay, LocalTask task, Instant now) {
        task.timer++;
        around.events().plan(now.plus(delay), new SimEvent.TaskDue(agent, task.key, task.timer));
    }

    private HiddenTruth truth(LocalTask task) {
        return around.world().truth(task.key.attempt().job(), task.task.spec());
    }

    private static Duration ran(LocalTask task, Instant now) {
        return task.began == null ? Duration.ZERO : Duration.between(task.began, now);
    }

    private boolean refuses(NodeId node) {
        return refusing.stream().anyMatch(fault -> fault.node().equals(node));
    }

    private Duration delay(Task task) {
        Duration sum = Duration.ZERO;
        for (Fault.SlowStart fault : slow) {
            if (fault.node().equals(task.slot().node())) {
                sum = sum.plus(fault.by());
            }
        }
        return sum;
    }

    private static Exit stopped(int code, String detail) {
        return new Exit(Exit.How.STOPPED, code, detail);
    }

    /// A task on this machine.
    private static final class LocalTask {
        final TaskKey key;
        final Task task;
        Stage stage = Stage.PREPARING;
        /// Whether the start signal has arrived.
        boolean go;
        /// Whether it uses its GPUs.
        boolean occupies;
        /// Only the newest timer counts; the task ignores older ones.
        int timer;

        @Nullable Instant began;
        @Nullable Exit exit;

        LocalTask(Task task) {
            this.key = new TaskKey(task.attempt(), task.rank());
            this.task = task;
        }

        boolean ended() {
            return stage == Stage.ENDED;
        }

        /// The state of the task as the agent reports it in a hello.
        TaskState state() {
            return switch (stage) {
                case PREPARING -> new TaskState.Assigned();
                case PREPARED, STARTING -> new TaskState.Prepared();
                case RUNNING -> new TaskState.Running();
                case STOPPING -> began == null ? new TaskState.Prepared() : new TaskState.Running();
                case ENDED -> new TaskState.Ended(exitOf(exit));
            };
        }

        private static Exit exitOf(@Nullable Exit exit) {
            return exit == null ? new Exit(Exit.How.LOST, -1, "ended without a trace") : exit;
        }
    }
}
