package io.gpusched.rl;

import io.gpusched.core.model.Check;
import io.gpusched.sim.generate.RandomStream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/// Many environments of equal settings, stepped in one batch on several threads.
///
/// Each environment always belongs to the same thread's part and depends on its own seeds and
/// actions alone, so results do not depend on the number of threads. Observations and masks of all
/// environments lie behind each other in one array, as networks read them. The next call
/// overwrites all arrays.
///
///     observations   [environment 0: numbers …][environment 1: numbers …] …
///
/// An environment whose episode has ended shows its last observation until [#resetEnded] begins its
/// next episode. Environment i of n plays the seeds first + i, first + i + n, first + i + 2n, …;
/// after the largest seed follows 0.
///
/// One thread calls the methods; the caller's thread does a part of the work.
public final class VectorEnvironment implements AutoCloseable {
    private final int observed;
    private final int actions;
    private final List<GymEnvironment> environments = new ArrayList<>();
    private final int parts;
    private final ExecutorService workers;
    private final float[] observations;
    private final boolean[] masks;
    private final boolean[][] ownMasks;
    private final double[] rewards;
    private final boolean[] terminated;
    private final boolean[] truncated;
    private final boolean[] invalid;
    private final double[] terminals;
    private final long[] seeds;

    /// @param count the number of environments
    /// @param threads the number of threads, the caller's included
    public VectorEnvironment(EnvironmentSettings settings, int count, int threads) {
        this(() -> new Environment(settings), count, threads);
    }

    /// @param make makes an environment, always with the same settings
    /// @param count the number of environments
    /// @param threads the number of threads, the caller's included
    public VectorEnvironment(Supplier<? extends GymEnvironment> make, int count, int threads) {
        Check.that(count >= 1, "there is at least one environment, found %s", count);
        Check.that(threads >= 1, "there is at least one thread, found %s", threads);
        for (int i = 0; i < count; i++) {
            environments.add(make.get());
        }
        this.observed = environments.getFirst().observed();
        this.actions = environments.getFirst().actions();
        this.parts = Math.min(threads, count);
        this.workers =
                Executors.newFixedThreadPool(
                        Math.max(1, parts - 1),
                        Thread.ofPlatform().daemon().name("environments-", 1).factory());
        this.observations = new float[count * observed];
        this.masks = new boolean[count * actions];
        this.ownMasks = new boolean[count][actions];
        this.rewards = new double[count];
        this.terminated = new boolean[count];
        this.truncated = new boolean[count];
        this.invalid = new boolean[count];
        this.terminals = new double[count];
        this.seeds = new long[count];
    }

    /// Begins an episode in every environment, with consecutive seeds from this one on.
    public void reset(long firstSeed) {
        forAll(
                i -> {
                    seeds[i] = firstSeed + i;
                    begin(i);
                });
    }

    /// Begins the next episode in every environment whose episode has ended.
    public void resetEnded() {
        forAll(
                i -> {
                    if (terminated[i] || truncated[i]) {
                        seeds[i] = seeds[i] + environments.size() & RandomStream.MOST_SEED;
                        begin(i);
                    }
                });
    }

    private void begin(int i) {
        environments.get(i).reset(seeds[i]);
        rewards[i] = 0;
        terminated[i] = false;
        truncated[i] = false;
        invalid[i] = false;
        terminals[i] = 0;
        show(i);
    }

    /// Executes one action in each environment. None of their episodes may have ended.
    public void step(int[] actions) {
        Check.that(
                actions.length == environments.size(),
                "expected %s actions, found %s",
                environments.size(),
                actions.length);
        forAll(
                i -> {
                    Step step = environments.get(i).step(actions[i]);
                    rewards[i] = step.reward();
                    terminated[i] = step.terminated();
                    truncated[i] = step.truncated();
                    invalid[i] = step.invalid();
                    terminals[i] = step.terminal();
                    show(i);
                });
    }

    private void show(int i) {
        GymEnvironment environment = environments.get(i);
        float[] numbers = environment.observation().numbers();
        System.arraycopy(numbers, 0, observations, i * numbers.length, numbers.length);
        environment.mask(ownMasks[i]);
        System.arraycopy(ownMasks[i], 0, masks, i * actions, actions);
    }

    /// Runs the work for every environment, in equal parts on all threads.
    private void forAll(IntConsumer work) {
        var others = new ArrayList<Future<?>>();
        for (int part = 1; part < parts; part++) {
            int own = part;
            others.add(workers.submit(() -> forPart(own, work)));
        }
        try {
            forPart(0, work);
        } finally {
            others.forEach(VectorEnvironment::await);
        }
    }

    private void forPart(int part, IntConsumer work) {
        int count = environments.size();
        int end = (int) ((part + 1L) * count / parts);
        for (int i = (int) ((long) part * count / parts); i < end; i++) {
            work.accept(i);
        }
    }

    private static void await(Future<?> work) {
        try {
            work.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("an environment failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while environments were stepped", e);
        }
    }

    public int size() {
        return environments.size();
    }

    /// How many numbers an observation has.
    public int observed() {
        return observed;
    }

    /// How many actions there are.
    public int actions() {
        return actions;
    }

    /// The environment itself, to read from it between two calls.
    public GymEnvironment environment(int i) {
        return environments.get(i);
    }

    /// [#observed] numbers of each environment. Not a copy.
    public float[] observations() {
        return observations;
    }

    /// [#actions] values of each environment. Not a copy.
    public boolean[] masks() {
        return masks;
    }

    /// The rewards of the last step. Not a copy.
    public double[] rewards() {
        return rewards;
    }

    /// Where every job has ended. Not a copy.
    public boolean[] terminated() {
        return terminated;
    }

    /// Where time or steps ran out. Not a copy.
    public boolean[] truncated() {
        return truncated;
    }

    /// Where the last action was not possible. Not a copy.
    public boolean[] invalid() {
        return invalid;
    }

    /// The part of the last rewards that was given for how an episode ended. Not a copy.
    public double[] terminals() {
        return terminals;
    }

    /// The seed of the present episode of an environment.
    public long seed(int i) {
        return seeds[i];
    }

    /// Ends the threads.
    @Override
    public void close() {
        workers.shutdown();
    }
}
