package io.gpusched.rl;

/// How a player used the GPUs in an episode. Returns do not depend on these numbers directly, but
/// they show what a policy does differently from a rule.
///
/// @param busy the part of the GPUs that was busy, as a mean over the time of the episode
/// @param running how many jobs ran, as a mean over that time
/// @param exact the part of the starts that left no GPU idle
public record PlayStyle(double busy, double running, double exact) {
    /// Measures one episode, from its first step on.
    static final class Meter {
        private final Environment environment;
        private final double gpus;
        private int starts;
        private int exactStarts;
        private double idle;
        private int running;
        private double before;
        private double busySeconds;
        private double runningSeconds;

        Meter(Environment environment) {
            this.environment = environment;
            this.gpus = environment.settings().gpus();
        }

        /// An action is about to be taken.
        void before(int action) {
            Observation seen = environment.observation();
            idle = seen.idle();
            if (action > 0 && seen.isFeasible(action - 1)) {
                idle -= seen.gpus(action - 1);
                starts++;
                exactStarts += Math.rint(idle * gpus) == 0 ? 1 : 0;
            }
            running = starts - environment.ended();
            before = environment.now();
        }

        /// The action was taken, and time has moved to the next event.
        void after() {
            double passed = environment.now() - before;
            busySeconds += passed * (1 - idle);
            runningSeconds += passed * running;
        }

        PlayStyle style() {
            double all = Math.max(1e-9, environment.now());
            return new PlayStyle(
                    busySeconds / all,
                    runningSeconds / all,
                    (double) exactStarts / Math.max(1, starts));
        }
    }
}
