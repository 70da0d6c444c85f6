package io.gpusched.rl;

import io.gpusched.core.model.Check;
import io.gpusched.core.model.JobId;
import io.gpusched.sim.generate.BenchmarkJobs;
import io.gpusched.sim.generate.BenchmarkWorkload;
import io.gpusched.sim.generate.RandomStream;

import java.util.Arrays;

/// An environment in which a player schedules one node of GPUs: it sees the waiting jobs, starts
/// one job or none, and gets a reward.
///
/// A step is at most one start followed by exactly one event, an arrival or an end. So at most one
/// job starts per event, even if GPUs stay idle. The benchmark has this limit and its published
/// returns depend on it; the production scheduler does not have it.
///
/// Rewards are fractions of all work of the episode: the work of the job that ended, less the
/// waiting and running work times the elapsed time, less a little for waiting although a job could
/// start; at the end, a bonus for the time left, or a penalty for the work left.
///
/// Every start is made by the production core; see [CoreCluster]. The clock here is a double, as in
/// the benchmark; the core keeps the same times to the microsecond.
public final class Environment implements GymEnvironment {
    private static final double WAITING_PENALTY = 0.05;

    private final EnvironmentSettings settings;
    private final RandomStream random = new RandomStream(0);
    private final EventHeap events = new EventHeap();
    private final Observation observation;
    private final float[] busyFor;
    private final double[] busyUntil;
    private final WaitingJobs waiting;
    private final JobSpecs specs;
    private JobId[] ids = new JobId[0];
    private long[] held = new long[0];
    private BenchmarkJobs jobs;
    private CoreCluster cluster;
    private int idle;
    private int steps;
    private int ended;
    private boolean over;
    private double now;
    private double horizon;
    private double totalWork;

    public Environment(EnvironmentSettings settings) {
        this.settings = settings;
        this.observation = new Observation(settings);
        this.busyFor = new float[settings.gpus()];
        this.busyUntil = new double[settings.gpus()];
        this.jobs = settings.workload().draw(random);
        this.specs = new JobSpecs(settings.gpus(), BenchmarkWorkload.MOST_PRIORITY);
        this.waiting = new WaitingJobs(settings, observation, jobs);
        this.cluster = new CoreCluster(settings.gpus());
        reset(0);
    }

    /// Begins an episode, which follows from the seed and the actions alone.
    @Override
    public Observation reset(long seed) {
        random.seed(seed);
        jobs = settings.workload().draw(random);
        cluster = new CoreCluster(settings.gpus());
        totalWork = jobs.totalWork();
        horizon = jobs.lastArrival() + settings.horizonFactor() * (totalWork / settings.gpus());
        now = 0;
        steps = 0;
        ended = 0;
        over = false;
        idle = settings.gpus();
        Arrays.fill(busyUntil, 0);
        prepare();
        while (events.size() > 0 && events.nextTime() <= now) {
            nextEvent();
        }
        remaining();
        observe();
        return observation;
    }

    private void prepare() {
        int count = jobs.size();
        ids = new JobId[count];
        held = new long[count];
        waiting.begin(jobs);
        events.clear();
        for (int i = 0; i < count; i++) {
            events.arrives(jobs.arrival(i), i);
        }
    }

    /// Executes an action: 0 waits, i starts the job at position i of the window, counted from 1.
    /// An action that is not possible counts as waiting. After the last step of an episode, only
    /// [#reset] may follow.
    @Override
    public Step step(int action) {
        Check.that(!over, "the episode of %s steps is over; call reset", steps);
        boolean couldStart = waiting.anyNeedsAtMost(idle);
        boolean invalid = action != 0 && !isFeasible(action - 1);
        boolean starts = action != 0 && !invalid;
        if (starts) {
            start(action - 1);
        }
        double before = now;
        int done = events.size() == 0 ? -1 : nextEvent();
        steps++;
        boolean terminated = waiting.size() == 0 && idle == settings.gpus() && events.size() == 0;
        boolean truncated = !terminated && (now >= horizon || steps >= settings.maxSteps());
        remaining();
        double open = openWork();
        double reward = done < 0 ? 0 : jobs.work(done) / totalWork;
        double passed = Math.clamp((now - before) / Math.max(1e-9, horizon), 0, 10);
        reward -= passed * (open / totalWork);
        if (!starts && couldStart && open > 0) {
            reward -= WAITING_PENALTY * (open / totalWork);
        }
        double terminal = terminated ? early() : truncated ? -undone(open) : 0;
        if (terminated || truncated) {
            over = true;
            cluster.seal();
        }
        observe();
        return new Step(reward + terminal, terminated, truncated, invalid, terminal);
    }

    private void start(int place) {
        int job = waiting.remove(place);
        held[job] = cluster.start(ids[job]);
        idle = cluster.idleGpus();
        double end = now + jobs.seconds(job);
        for (long rest = held[job]; rest != 0; rest &= rest - 1) {
            busyUntil[Long.numberOfTrailingZeros(rest)] = end;
        }
        events.ends(end, job);
    }

    /// Advances to the next event; returns the job that ended, or -1.
    private int nextEvent() {
        now = events.nextTime();
        int what = events.next();
        events.pop();
        cluster.timeIs(now);
        if (what >= 0) {
            ids[what] = cluster.submit(specs.of(jobs.gpus(what), jobs.priority(what)));
            waiting.add(what);
            return -1;
        }
        int job = ~what;
        cluster.end(ids[job]);
        ended++;
        idle = cluster.idleGpus();
        for (long rest = held[job]; rest != 0; rest &= rest - 1) {
            busyUntil[Long.numberOfTrailingZeros(rest)] = 0;
        }
        return job;
    }

    private double early() {
        return Math.max(0, horizon - now) / Math.max(1e-9, horizon);
    }

    private double undone(double open) {
        double coming = 0;
        for (int i = 0; i < jobs.size(); i++) {
            coming += ids[i] == null ? jobs.work(i) : 0;
        }
        return (open + coming) / totalWork;
    }

    /// The work of waiting jobs and the remaining work of running jobs.
    private double openWork() {
        return waiting.work() + SinglePrecision.sum(busyFor) * settings.workload().longest();
    }

    private void remaining() {
        double longest = settings.workload().longest();
        for (int gpu = 0; gpu < busyFor.length; gpu++) {
            double left = Math.max(0, busyUntil[gpu] - now);
            busyFor[gpu] = (float) Math.min(1, left / longest);
        }
    }

    private void observe() {
        waiting.writeWaited(now, horizon);
        double all = settings.gpus();
        observation.gpus(
                busyFor, settings.lookahead(), (float) (idle / all), (float) ((all - idle) / all));
    }

    /// Whether the job in this place of the window, counted from 0, can start now.
    public boolean isFeasible(int place) {
        return waiting.needsAtMost(idle, place);
    }

    /// Which actions can be carried out; waiting always can.
    @Override
    public boolean[] mask() {
        var mask = new boolean[settings.actions()];
        mask(mask);
        return mask;
    }

    @Override
    public void mask(boolean[] into) {
        into[0] = true;
        for (int place = 0; place < settings.window(); place++) {
            into[place + 1] = isFeasible(place);
        }
    }

    @Override
    public Observation observation() {
        return observation;
    }

    /// The random stream that generated the episode. A player that draws from it too gets the same
    /// numbers as in the benchmark.
    public RandomStream random() {
        return random;
    }

    public EnvironmentSettings settings() {
        return settings;
    }

    @Override
    public int observed() {
        return settings.observed();
    }

    @Override
    public int actions() {
        return settings.actions();
    }

    @Override
    public int maxSteps() {
        return settings.maxSteps();
    }

    @Override
    public int totalJobs() {
        return jobs.size();
    }

    /// The jobs of this episode.
    public BenchmarkJobs jobs() {
        return jobs;
    }

    /// Seconds since the episode began.
    public double now() {
        return now;
    }

    @Override
    public double horizon() {
        return horizon;
    }

    public int steps() {
        return steps;
    }

    /// How many jobs have ended.
    public int ended() {
        return ended;
    }

    /// How many jobs wait, seen or not, by the production ledger.
    public long waitingJobs() {
        return cluster.waiting();
    }

    /// How many events the core has recorded in this episode.
    public long coreEvents() {
        return cluster.events();
    }
}
