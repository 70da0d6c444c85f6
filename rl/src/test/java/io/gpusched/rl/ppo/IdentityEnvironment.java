package io.gpusched.rl.ppo;

import io.gpusched.sim.scenario.SeededRandom;

/// The easiest environment: one number of the observation is 1, and the action of that number earns
/// a reward of 1. At every step another action is not allowed, and at every fourth step only the
/// no-op is.
class IdentityEnvironment implements LearningEnvironment {
    static final int ACTIONS = 4;
    static final int LENGTH = 10;

    /// As many numbers as an observation with a window of 3 jobs and 2 GPUs has.
    static final int OBSERVED = 16;

    static final ModelShape SHAPE = ModelShape.of(Architecture.MLP, "off", 3, 2);

    private final float[] observation = new float[OBSERVED];
    private final boolean[] allowed = new boolean[ACTIONS];
    private SeededRandom random = new SeededRandom(0);
    private int right;
    private int step;
    private boolean invalid;

    @Override
    public int observed() {
        return OBSERVED;
    }

    @Override
    public int actions() {
        return ACTIONS;
    }

    @Override
    public void reset(long seed) {
        random = new SeededRandom(seed);
        step = 0;
        invalid = false;
        draw();
    }

    private void draw() {
        boolean forced = step % 4 == 3;
        observation[right] = 0;
        right = forced ? 0 : random.below(ACTIONS);
        observation[right] = 1;
        int other = (right + 1 + random.below(ACTIONS - 1)) % ACTIONS;
        for (int i = 0; i < ACTIONS; i++) {
            allowed[i] = forced ? i == 0 : i != other;
        }
    }

    @Override
    public float[] observation() {
        return observation;
    }

    @Override
    public boolean[] allowed() {
        return allowed;
    }

    @Override
    public double step(int action) {
        invalid = !allowed[action];
        double reward = action == right ? 1 : 0;
        step++;
        draw();
        return reward;
    }

    @Override
    public boolean isOver() {
        return step >= LENGTH;
    }

    @Override
    public boolean wasInvalid() {
        return invalid;
    }

    @Override
    public int advice() {
        return right;
    }
}
