package io.gpusched.rl.ppo;

import io.gpusched.rl.network.MaskedSoftmax;
import io.gpusched.rl.network.NeuralNetwork;
import io.gpusched.sim.scenario.SeededRandom;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Plays the environments to fill a rollout.
///
/// Environments are divided into groups, which run on different threads. A group plays its
/// environments step by step together, so that the policy is computed for several observations at
/// once. Where only one action is allowed, it is taken without asking the policy: its probability
/// is 1. That is so in about half of the steps of the scheduling environment.
final class Collector {
    private static final int GROUPS = 4;

    private final PpoSettings settings;
    private final TrainedNetwork policy;
    private final long seed;
    private final List<EpisodeRunner> runners = new ArrayList<>();
    private final List<Group> groups = new ArrayList<>();
    private final Rollout rollout;

    Collector(
            PpoSettings settings,
            TrainedNetwork policy,
            Supplier<? extends LearningEnvironment> environments,
            long seed) {
        this.settings = settings;
        this.policy = policy;
        this.seed = seed;
        for (int i = 0; i < settings.environments(); i++) {
            runners.add(new EpisodeRunner(environments.get(), settings, seed, i));
        }
        LearningEnvironment first = runners.getFirst().environment();
        this.rollout = new Rollout(settings.stepsPerUpdate(), first.observed(), first.actions());
        int count = Math.min(GROUPS, runners.size());
        for (int i = 0; i < count; i++) {
            groups.add(new Group(i * runners.size() / count, (i + 1) * runners.size() / count));
        }
    }

    List<EpisodeRunner> runners() {
        return runners;
    }

    /// Fills the rollout with new steps.
    ///
    /// @param purpose names the random numbers, together with the update
    /// @param imitates whether actions are those that the environments advise
    Rollout collect(WorkerThreads threads, String purpose, int update, boolean imitates) {
        runners.forEach(EpisodeRunner::clearFinished);
        threads.run(groups.size(), i -> groups.get(i).play(purpose, update, imitates));
        rollout.invalid = 0;
        for (Group group : groups) {
            rollout.invalid += group.invalid;
        }
        return rollout;
    }

    /// Environments that are played together.
    private final class Group {
        private final int from;
        private final int to;
        private final NeuralNetwork.Pass pass = policy.network().pass();
        private final int[] asked;
        private final float[] observations;
        private final boolean[] allowed;
        private final float[] logits;
        private final float[] probabilities;
        private int invalid;

        Group(int from, int to) {
            this.from = from;
            this.to = to;
            int size = Math.min(pass.capacity(), to - from);
            this.asked = new int[size];
            this.observations = new float[size * rollout.observed];
            this.allowed = new boolean[size * rollout.actions];
            this.logits = new float[size * rollout.actions];
            this.probabilities = new float[size * rollout.actions];
        }

        void play(String purpose, int update, boolean imitates) {
            invalid = 0;
            var random = new ArrayList<SeededRandom>();
            for (int i = from; i < to; i++) {
                long subject = (long) update * settings.environments() + i;
                random.add(SeededRandom.of(seed, purpose, subject));
            }
            for (int time = 0; time < settings.stepsPerEnvironment(); time++) {
                if (imitates) {
                    advise(time);
                } else {
                    choose(time, random);
                }
                for (int i = from; i < to; i++) {
                    step(runners.get(i), i * settings.stepsPerEnvironment() + time);
                }
            }
        }

        private void step(EpisodeRunner runner, int at) {
            rollout.rewards[at] = (float) runner.step(rollout.taken[at]);
            rollout.ends[at] = runner.environment().isOver();
            invalid += runner.environment().wasInvalid() ? 1 : 0;
            runner.next();
        }

        private void advise(int time) {
            for (int i = from; i < to; i++) {
                int at = i * settings.stepsPerEnvironment() + time;
                LearningEnvironment environment = runners.get(i).environment();
                rollout.see(at, environment);
                rollout.taken[at] = environment.advice();
            }
        }

        private void choose(int time, List<SeededRandom> random) {
            int count = 0;
            for (int i = from; i < to; i++) {
                int at = i * settings.stepsPerEnvironment() + time;
                rollout.see(at, runners.get(i).environment());
                if (rollout.choice[at]) {
                    asked[count++] = i;
                } else {
                    rollout.taken[at] = rollout.onlyAction(at);
                    rollout.logProbabilities[at] = 0;
                    rollout.entropies[at] = 0;
                }
                if (count == asked.length || (i == to - 1 && count > 0)) {
                    ask(time, count, random);
                    count = 0;
                }
            }
        }

        private void ask(int time, int count, List<SeededRandom> random) {
            int actions = rollout.actions;
            for (int k = 0; k < count; k++) {
                int at = asked[k] * settings.stepsPerEnvironment() + time;
                int seen = rollout.observed;
                System.arraycopy(rollout.observations, at * seen, observations, k * seen, seen);
                System.arraycopy(rollout.allowed, at * actions, allowed, k * actions, actions);
            }
            pass.forward(policy.weights(), observations, allowed, count, logits);
            for (int k = 0; k < count; k++) {
                int at = asked[k] * settings.stepsPerEnvironment() + time;
                int row = k * actions;
                MaskedSoftmax.probabilities(logits, allowed, row, actions, probabilities);
                double point = random.get(asked[k] - from).unit();
                int action = MaskedSoftmax.sample(probabilities, row, actions, point);
                rollout.taken[at] = action;
                rollout.logProbabilities[at] = MaskedSoftmax.log(probabilities[row + action]);
                rollout.entropies[at] = MaskedSoftmax.entropy(probabilities, row, actions);
            }
        }
    }
}
