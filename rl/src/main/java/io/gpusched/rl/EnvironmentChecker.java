package io.gpusched.rl;

import io.gpusched.core.model.Check;
import io.gpusched.sim.generate.RandomStream;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/// Checks that an environment keeps the contract of [GymEnvironment].
///
/// It plays one episode with random actions, possible and impossible ones, and looks at every
/// observation, mask and result. Then it plays the same actions again: in the same environment, in
/// a new one, and after a reset in the middle of another episode. All must give the same episode.
public final class EnvironmentChecker {
    /// One action in this many may be an impossible one.
    private static final int IMPOSSIBLE = 4;

    private static final int MOST_PROBLEMS = 20;

    /// Everything that could be seen of one step.
    private record Seen(int action, Step step, List<Float> numbers, List<Boolean> mask) {}

    private final Supplier<? extends GymEnvironment> make;
    private final long seed;
    private final List<String> problems = new ArrayList<>();

    private EnvironmentChecker(Supplier<? extends GymEnvironment> make, long seed) {
        this.make = make;
        this.seed = seed;
    }

    /// Returns what is wrong with the environment, in sentences; empty when nothing is.
    ///
    /// @param make makes a new environment, always with the same settings
    /// @param seed of the episode and of the actions
    public static List<String> problems(Supplier<? extends GymEnvironment> make, long seed) {
        var checker = new EnvironmentChecker(make, seed);
        checker.check();
        return List.copyOf(checker.problems);
    }

    private void check() {
        GymEnvironment first = make.get();
        List<Seen> episode = play(first);
        checkEnd(first, episode.getLast());
        repeat("again in the same environment", first, episode);
        GymEnvironment other = make.get();
        repeat("in a new environment", other, episode);
        other.reset(seed + 1);
        for (int i = 0; i < Math.min(10, episode.size() - 1); i++) {
            if (other.step(0).isLast()) {
                break;
            }
        }
        repeat("after a reset in the middle", other, episode);
    }

    /// Plays random actions to the end.
    private List<Seen> play(GymEnvironment environment) {
        int most = environment.maxSteps();
        var random = new RandomStream(seed);
        var episode = new ArrayList<Seen>();
        Observed begun = environment.reset(seed);
        checkObservation("after reset", environment, begun);
        while (true) {
            boolean[] mask = environment.mask();
            int action = action(mask, random);
            Step step = environment.step(action);
            String when = "after step " + (episode.size() + 1);
            checkObservation(when, environment, environment.observation());
            checkStep(when, action, mask, step);
            episode.add(seen(action, step, environment));
            boolean tooLong = episode.size() >= most && !step.isLast();
            expect(!tooLong, "%s: the episode is longer than %s", when, most);
            if (step.isLast() || tooLong || problems.size() >= MOST_PROBLEMS) {
                return episode;
            }
        }
    }

    private static int action(boolean[] mask, RandomStream random) {
        if (random.whole(0, IMPOSSIBLE) == 0) {
            return random.whole(-1, mask.length + 1);
        }
        int action = random.whole(0, mask.length);
        while (action > 0 && !mask[action]) {
            action--;
        }
        return action;
    }

    private static Seen seen(int action, Step step, GymEnvironment environment) {
        var numbers = new ArrayList<Float>();
        for (float number : environment.observation().numbers()) {
            numbers.add(number);
        }
        var mask = new ArrayList<Boolean>();
        for (boolean possible : environment.mask()) {
            mask.add(possible);
        }
        return new Seen(action, step, numbers, mask);
    }

    private void checkObservation(String when, GymEnvironment environment, Observed observation) {
        float[] numbers = observation.numbers();
        expect(
                numbers.length == environment.observed(),
                "%s: expected %s numbers, found %s",
                when,
                environment.observed(),
                numbers.length);
        for (int i = 0; i < numbers.length; i++) {
            expect(
                    numbers[i] >= environment.least() && numbers[i] <= environment.most(),
                    "%s: expected number %s from %s to %s, found %s",
                    when,
                    i,
                    plain(environment.least()),
                    plain(environment.most()),
                    numbers[i]);
        }
        int window = observation.perJob() * observation.window();
        for (int i = observation.perJob() * observation.jobs(); i < window; i++) {
            expect(numbers[i] == 0, "%s: no job is there, but number %s is not 0", when, i);
        }
        checkMask(when, environment, observation);
    }

    private void checkMask(String when, GymEnvironment environment, Observed observation) {
        boolean[] mask = environment.mask();
        int actions = environment.actions();
        expect(
                mask.length == actions,
                "%s: expected a mask of %s, found %s",
                when,
                actions,
                mask.length);
        expect(mask[0], "%s: waiting is masked", when);
        for (int place = 0; place < mask.length - 1; place++) {
            expect(
                    mask[place + 1] == observation.isFeasible(place),
                    "%s: the mask of action %s does not agree with the observation",
                    when,
                    place + 1);
        }
    }

    private void checkStep(String when, int action, boolean[] mask, Step step) {
        boolean possible = action >= 0 && action < mask.length && mask[action];
        expect(
                step.invalid() != possible,
                "%s: action %s was %s by the mask, and %s by the step",
                when,
                action,
                possible ? "possible" : "impossible",
                step.invalid() ? "invalid" : "valid");
        expect(Double.isFinite(step.reward()), "%s: the reward is %s", when, step.reward());
        expect(
                !(step.terminated() && step.truncated()),
                "%s: the episode is terminated and truncated",
                when);
        expect(
                step.isLast() || step.terminal() == 0,
                "%s: a terminal reward of %s before the end",
                when,
                step.terminal());
    }

    private void checkEnd(GymEnvironment environment, Seen last) {
        if (!last.step.isLast()) {
            return;
        }
        boolean refused = false;
        try {
            environment.step(0);
        } catch (Check.Broken e) {
            refused = true;
        }
        expect(refused, "a step after the end of the episode was not refused");
    }

    /// Plays the actions of the episode once more and compares.
    private void repeat(String where, GymEnvironment environment, List<Seen> episode) {
        environment.reset(seed);
        for (int i = 0; i < episode.size(); i++) {
            Seen before = episode.get(i);
            Step step = environment.step(before.action);
            Seen now = seen(before.action, step, environment);
            if (!now.equals(before) || (step.isLast() && i < episode.size() - 1)) {
                expect(
                        false,
                        "played %s: step %s gave %s before, and %s now",
                        where,
                        i + 1,
                        before.step,
                        now.step.equals(before.step) ? "another observation" : now.step);
                return;
            }
        }
    }

    private static String plain(float bound) {
        return bound == (int) bound ? Integer.toString((int) bound) : Float.toString(bound);
    }

    private void expect(boolean holds, String message, Object... values) {
        if (!holds && problems.size() < MOST_PROBLEMS) {
            problems.add(String.format(Locale.ROOT, message, values));
        }
    }
}
