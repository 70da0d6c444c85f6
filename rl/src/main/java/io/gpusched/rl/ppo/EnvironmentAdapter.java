package io.gpusched.rl.ppo;

import io.gpusched.rl.ActionPolicy;
import io.gpusched.rl.Environment;
import io.gpusched.rl.Step;

/// The scheduling environment, as PPO sees it.
public final class EnvironmentAdapter implements LearningEnvironment {
    private final Environment environment;
    private final ActionPolicy teacher;
    private boolean[] allowed;
    private boolean over;
    private boolean invalid;

    /// @param teacher the rule to imitate, if imitation is asked for
    public EnvironmentAdapter(Environment environment, ActionPolicy teacher) {
        this.environment = environment;
        this.teacher = teacher;
        this.allowed = environment.mask();
    }

    @Override
    public int observed() {
        return environment.settings().observed();
    }

    @Override
    public int actions() {
        return environment.settings().actions();
    }

    @Override
    public void reset(long seed) {
        environment.reset(seed);
        allowed = environment.mask();
        over = false;
        invalid = false;
    }

    @Override
    public float[] observation() {
        return environment.observation().numbers();
    }

    @Override
    public boolean[] allowed() {
        return allowed;
    }

    @Override
    public double step(int action) {
        Step step = environment.step(action);
        over = step.isLast();
        invalid = step.invalid();
        allowed = environment.mask();
        return step.reward();
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public boolean wasInvalid() {
        return invalid;
    }

    @Override
    public int advice() {
        return teacher.choose(environment.observation(), environment.random());
    }
}
