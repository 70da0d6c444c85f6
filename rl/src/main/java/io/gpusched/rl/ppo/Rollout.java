package io.gpusched.rl.ppo;

/// The steps that an update learns from. The steps of one environment are consecutive.
final class Rollout {
    final int steps;
    final int observed;
    final int actions;

    final float[] observations;
    final boolean[] allowed;

    /// Whether there was more than one allowed action.
    final boolean[] choice;

    final int[] taken;
    final float[] logProbabilities;
    final float[] entropies;
    final float[] rewards;

    /// Whether the step ended its episode.
    final boolean[] ends;

    final float[] values;
    final float[] advantages;
    final float[] returns;
    int invalid;

    Rollout(int steps, int observed, int actions) {
        this.steps = steps;
        this.observed = observed;
        this.actions = actions;
        this.observations = new float[steps * observed];
        this.allowed = new boolean[steps * actions];
        this.choice = new boolean[steps];
        this.taken = new int[steps];
        this.logProbabilities = new float[steps];
        this.entropies = new float[steps];
        this.rewards = new float[steps];
        this.ends = new boolean[steps];
        this.values = new float[steps];
        this.advantages = new float[steps];
        this.returns = new float[steps];
    }

    /// Records what can be seen and done before a step.
    void see(int step, LearningEnvironment environment) {
        System.arraycopy(environment.observation(), 0, observations, step * observed, observed);
        boolean[] now = environment.allowed();
        System.arraycopy(now, 0, allowed, step * actions, actions);
        int possible = 0;
        for (boolean each : now) {
            possible += each ? 1 : 0;
        }
        choice[step] = possible > 1;
    }

    /// The only allowed action of a step without a choice.
    int onlyAction(int step) {
        int action = 0;
        while (!allowed[step * actions + action]) {
            action++;
        }
        return action;
    }

    double noopPart() {
        int noops = 0;
        for (int action : taken) {
            noops += action == 0 ? 1 : 0;
        }
        return (double) noops / steps;
    }
}
