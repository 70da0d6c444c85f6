package io.gpusched.rl.ppo;

import java.util.Arrays;

/// Plays episode after episode in one environment. An episode that is not over when an update is
/// made goes on after it.
final class EpisodeRunner {
    private final LearningEnvironment environment;
    private final PpoSettings settings;
    private final long seed;
    private final int number;
    private long episode = -1;
    private int[] actions = new int[1024];
    private int length;
    private double total;
    private int finished;
    private double finishedTotal;
    private long finishedLength;

    EpisodeRunner(LearningEnvironment environment, PpoSettings settings, long seed, int number) {
        this.environment = environment;
        this.settings = settings;
        this.seed = seed;
        this.number = number;
        begin(0);
    }

    private void begin(long next) {
        episode = next;
        length = 0;
        total = 0;
        environment.reset(settings.episodeSeed(seed, episode * settings.environments() + number));
    }

    LearningEnvironment environment() {
        return environment;
    }

    /// Takes a step and returns the reward.
    double step(int action) {
        double reward = environment.step(action);
        if (length == actions.length) {
            actions = Arrays.copyOf(actions, 2 * length);
        }
        actions[length++] = action;
        total += reward;
        return reward;
    }

    /// Begins the next episode if this one is over.
    void next() {
        if (environment.isOver()) {
            finished++;
            finishedTotal += total;
            finishedLength += length;
            begin(episode + 1);
        }
    }

    /// Forgets which episodes have ended.
    void clearFinished() {
        finished = 0;
        finishedTotal = 0;
        finishedLength = 0;
    }

    /// How many episodes have ended, the sum of their returns, and the sum of their steps.
    int finished() {
        return finished;
    }

    double finishedTotal() {
        return finishedTotal;
    }

    long finishedLength() {
        return finishedLength;
    }

    /// The present episode, and the actions taken in it: all that is needed to be here again.
    long episode() {
        return episode;
    }

    int[] actions() {
        return Arrays.copyOf(actions, length);
    }

    /// Plays an episode up to where it was saved.
    void restore(long saved, int[] taken) {
        begin(saved);
        for (int action : taken) {
            step(action);
        }
    }
}
