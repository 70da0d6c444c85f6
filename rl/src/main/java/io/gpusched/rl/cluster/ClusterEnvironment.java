package io.gpusched.rl.cluster;

import io.gpusched.core.cell.Cell;
import io.gpusched.core.drive.Driver;
import io.gpusched.core.drive.InstantCluster;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.model.Agent;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Run;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.policy.TurnOutcome;
import io.gpusched.core.policy.learned.HeadEncoder;
import io.gpusched.rl.GymEnvironment;
import io.gpusched.rl.Observed;
import io.gpusched.rl.Step;
import io.gpusched.sim.scenario.Arrival;
import io.gpusched.sim.scenario.Scenario;
import io.gpusched.sim.scenario.SeededRandom;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// An environment in which a player decides which waiting job is tried next, on the cluster and
/// with the jobs of a scenario or a trace.
///
/// A step tries one of the first jobs of the queue, and the production core places it or finds no
/// place. The choice goes on at the same instant until the player waits (action 0) or no job that
/// it sees fits. Then time moves, event by event, until one fits again. So every step is a real
/// choice.
///
/// Jobs start and stop at once, run for their true time and succeed; faults, user actions and
/// delays of a scenario are left out. No job is preempted, and jobs that the scheduler refuses at
/// submission do not count. The seed draws the generated jobs of the scenario, and which jobs of a
/// longer list an episode has.
public final class ClusterEnvironment implements GymEnvironment {
    /// @param window how many waiting jobs are seen
    /// @param jobs of an episode, consecutive ones; 0 for all
    public record Settings(int window, int maxSteps, int jobs, Objective objective) {
        public Settings {
            Check.that(window >= 1, "at least one job is seen, found %s", window);
            Check.that(maxSteps >= 1, "there is at least one step, found %s", maxSteps);
            Check.that(jobs >= 0, "the number of jobs is not negative, found %s", jobs);
        }
    }

    private static final AgentId AGENT = new AgentId("environment");
    private static final String BY = "environment";

    /// How long action 0 waits where nothing is going to happen.
    private static final Duration NOTHING_HAPPENS = Duration.ofMinutes(1);

    private final Scenario scenario;
    private final Settings settings;
    private final HeadRows rows;
    private final Set<JobId> waiting = new LinkedHashSet<>();
    private final Map<JobId, Arrival> accepted = new HashMap<>();
    private List<Arrival> arrivals = List.of();
    private InstantCluster cluster;
    private Driver driver;
    private CostMeter meter;
    private int next;
    private int ended;
    private int refused;
    private int steps;
    private boolean over;

    public ClusterEnvironment(Scenario scenario, Settings settings) {
        this.scenario = scenario;
        this.settings = settings;
        this.rows = new HeadRows(settings.window);
        reset(0);
    }

    private Driver driver() {
        Policy policy = Objects.requireNonNull(Policies.named("fifo-skip", PolicySettings.DEFAULT));
        Cell cell = Cell.detached(new Engine(policy, EngineSettings.DEFAULT), cluster);
        var made = new Driver(cell, cluster, scenario.start());
        cell.takeCharge(1, BY, policy.name(), scenario.start());
        scenario.tenants().forEach(tenant -> made.tell(new Command.PutTenant(tenant, true, BY)));
        var nodes = new ArrayList<Node>();
        for (Node node : scenario.nodes()) {
            nodes.add(
                    new Node(
                            node.id(),
                            AGENT,
                            node.address(),
                            node.gpus(),
                            node.topology(),
                            node.host(),
                            node.taints(),
                            node.labels()));
        }
        made.tell(new Report.Hello(new Agent(AGENT, Agent.Custody.EXTERNAL, 0), nodes, List.of()));
        made.conclude();
        return made;
    }

    @Override
    public Observed reset(long seed) {
        arrivals = episode(seed);
        waiting.clear();
        accepted.clear();
        refused = 0;
        rows.forgetRefusals();
        next = 0;
        ended = 0;
        steps = 0;
        cluster = new InstantCluster(new Arriving());
        driver = driver();
        meter = new CostMeter(settings.objective, arrivals, scenario.nodes());
        show();
        moveUntilFeasible();
        over = isDone();
        return rows;
    }

    /// The jobs of the episode; the first arrives at the beginning.
    private List<Arrival> episode(long seed) {
        List<Arrival> all = scenario.arrivals(seed);
        Check.that(!all.isEmpty(), "scenario %s has no jobs", scenario.name());
        int count = settings.jobs == 0 ? all.size() : Math.min(settings.jobs, all.size());
        int from = SeededRandom.of(seed, "episode", 0).between(0, all.size() - count);
        var episode = new ArrayList<Arrival>(count);
        for (Arrival arrival : all.subList(from, from + count)) {
            Duration at = arrival.at().minus(all.get(from).at());
            episode.add(new Arrival(at, arrival.spec(), false, arrival.hiddenTruth()));
        }
        return episode;
    }

    @Override
    public Step step(int action) {
        Check.that(!over, "the episode of %s steps is over; call reset", steps);
        steps++;
        boolean invalid = action < 0 || action > settings.window;
        invalid |= action != 0 && !invalid && !rows.isFeasible(action - 1);
        double cost = 0;
        if (action == 0 || invalid) {
            cost += move();
        } else {
            attempt(rows.head(action - 1));
        }
        cost += moveUntilFeasible();
        boolean terminated = isDone();
        boolean truncated = !terminated && (steps >= settings.maxSteps || !rows.anyFeasible());
        over = terminated || truncated;
        double terminal = truncated ? -meter.costOfRest(arrivals.size() - refused - ended) : 0;
        return new Step(terminal - cost, terminated, truncated, invalid, terminal);
    }

    private boolean isDone() {
        return ended + refused == arrivals.size();
    }

    private void attempt(Job job) {
        if (driver.attempt(job.id()) instanceof TurnOutcome.Placed) {
            waiting.remove(job.id());
            cluster.react(driver);
        } else {
            rows.refuse(job);
        }
        show();
    }

    /// Lets time pass until a job can start or all have ended. Returns what it cost.
    private double moveUntilFeasible() {
        double cost = 0;
        while (!rows.anyFeasible() && cluster.next(driver) != null) {
            cost += move();
        }
        return cost;
    }

    /// Moves to the next event. Returns what the time cost.
    private double move() {
        Instant at = cluster.next(driver);
        Instant to = at == null ? driver.now().plus(NOTHING_HAPPENS) : at;
        double cost = meter.cost(Duration.between(driver.now(), to).toMillis() / 1e3);
        driver.moveTo(to);
        rows.forgetRefusals();
        show();
        return cost;
    }

    private void show() {
        Iterator<JobId> ids = waiting.iterator();
        rows.show(
                driver.state(),
                () ->
                        new Iterator<>() {
                            @Override
                            public boolean hasNext() {
                                return ids.hasNext();
                            }

                            @Override
                            public Job next() {
                                return job(ids.next());
                            }
                        },
                driver.now());
    }

    private Job job(JobId id) {
        return Objects.requireNonNull(driver.state().job(id));
    }

    /// The jobs of the episode, numbered in the order of their arrival.
    private final class Arriving implements InstantCluster.Jobs {
        @Override
        public @Nullable Instant nextArrival() {
            return next < arrivals.size() ? scenario.start().plus(arrivals.get(next).at()) : null;
        }

        @Override
        public void arrive(Driver to) {
            Arrival arrival = arrivals.get(next++);
            Answer answer = to.tell(new Command.Submit(arrival.spec(), "", 0, false, BY));
            JobId id = answer instanceof Answer.Accepted yes ? yes.job() : null;
            if (id == null) {
                refused++;
                return;
            }
            waiting.add(id);
            accepted.put(id, arrival);
            meter.arrives(arrival);
        }

        @Override
        public Duration begins(Job job, Run run, Instant now) {
            Arrival arrival = Objects.requireNonNull(accepted.get(job.id()));
            meter.begins(arrival, job(job.id()), driver.state());
            return arrival.hiddenTruth().runs();
        }

        @Override
        public void ended(JobId job, Instant at) {
            ended++;
            meter.ends(job);
        }
    }

    @Override
    public int observed() {
        return settings.window * HeadEncoder.FEATURES;
    }

    @Override
    public int actions() {
        return settings.window + 1;
    }

    @Override
    public int maxSteps() {
        return settings.maxSteps;
    }

    /// Priorities may be negative.
    @Override
    public float least() {
        return -1;
    }

    @Override
    public float most() {
        return HeadEncoder.MOST;
    }

    @Override
    public boolean[] mask() {
        var mask = new boolean[actions()];
        mask[0] = true;
        for (int place = 0; place < settings.window; place++) {
            mask[place + 1] = rows.isFeasible(place);
        }
        return mask;
    }

    @Override
    public Observed observation() {
        return rows;
    }

    /// With jobs that the scheduler refused or will refuse.
    @Override
    public int totalJobs() {
        return arrivals.size();
    }

    /// How many jobs the scheduler refused so far.
    public int refused() {
        return refused;
    }

    /// How many jobs have ended.
    public int ended() {
        return ended;
    }

    /// The time of the episode, from the start of the scenario.
    public Duration now() {
        return Duration.between(scenario.start(), driver.now());
    }
}
