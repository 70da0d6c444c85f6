package io.gpusched.rl.ppo;

/// Settings of PPO for small tests, to be varied.
final class TestSettings {
    private double targetKl = 10;
    private double rate = 3e-3;
    private int imitationUpdates;

    static TestSettings settings() {
        return new TestSettings();
    }

    TestSettings targetKl(double value) {
        targetKl = value;
        return this;
    }

    TestSettings rate(double value) {
        rate = value;
        return this;
    }

    TestSettings imitationUpdates(int value) {
        imitationUpdates = value;
        return this;
    }

    PpoSettings make() {
        return new PpoSettings(
                256,
                8,
                0.9,
                0.8,
                4,
                2,
                0.2,
                0.001,
                0.5,
                0.5,
                true,
                rate,
                RateSchedule.CONSTANT,
                1,
                0.5,
                targetKl,
                1_000,
                2_000,
                imitationUpdates,
                3e-3);
    }

    /// A plan for the identity environment.
    static TrainingPlan plan(PpoSettings settings, int updates) {
        return new TrainingPlan(
                "test",
                settings,
                IdentityEnvironment.SHAPE,
                "identity",
                (long) updates * settings.stepsPerUpdate(),
                1,
                2,
                3,
                4,
                6,
                true,
                500);
    }
}
