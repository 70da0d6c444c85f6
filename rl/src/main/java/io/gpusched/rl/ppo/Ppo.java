package io.gpusched.rl.ppo;

import io.gpusched.rl.network.Adam;
import io.gpusched.rl.network.MaskedSoftmax;
import io.gpusched.sim.scenario.SeededRandom;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/// Proximal policy optimisation (Schulman et al. 2017), with advantages as in generalised advantage
/// estimation (Schulman et al. 2016).
///
/// An update collects steps with the present policy and estimates how much better each action was
/// than expected. Then it improves the policy in a few passes over minibatches. An action whose
/// probability has already moved by more than the clip range does not count any more, and the
/// update stops when the policy as a whole has moved too far from the one that collected the steps.
/// So the steps, which the old policy made, stay representative.
///
/// The value network learns from the same minibatches. Its loss is clipped in the same way.
public final class Ppo {
    private final PpoSettings settings;
    private final TrainedNetwork policy;
    private final TrainedNetwork value;
    private final WorkerThreads threads;
    private final long seed;
    private final Collector collector;
    private final MinibatchGradient gradient;
    private final int[] order;

    /// The quantities of the present update; see [UpdateResult].
    private double loss;

    private double policyLoss;
    private double valueLoss;
    private double entropy;
    private double klLast;
    private double klSum;
    private double klMax;
    private int minibatches;

    public Ppo(
            PpoSettings settings,
            TrainedNetwork policy,
            TrainedNetwork value,
            Supplier<? extends LearningEnvironment> environments,
            WorkerThreads threads,
            long seed) {
        this.settings = settings;
        this.policy = policy;
        this.value = value;
        this.threads = threads;
        this.seed = seed;
        this.collector = new Collector(settings, policy, environments, seed);
        this.gradient = new MinibatchGradient(policy, value, threads);
        this.order = new int[settings.stepsPerUpdate()];
    }

    /// The environments, each in the middle of an episode.
    List<EpisodeRunner> runners() {
        return collector.runners();
    }

    /// Collects steps and improves both networks.
    ///
    /// @param update counted from 1
    /// @param rate the learning rate
    public UpdateResult update(int update, double rate) {
        Rollout rollout = collector.collect(threads, "actions", update, false);
        estimateAdvantages(rollout);
        if (settings.normaliseAdvantages()) {
            normalise(rollout);
        }
        boolean stopped =
                learn(
                        rollout,
                        "order",
                        update,
                        rate,
                        new ClippedLoss(rollout, settings),
                        settings.epochs());
        return result(update, rate, rollout, stopped);
    }

    /// Collects steps that a known rule makes, teaches the policy to act like it, and the value
    /// network what the rule achieves.
    ///
    /// @param update counted from 1, apart from the updates of PPO
    public UpdateResult imitate(int update, double rate) {
        Rollout rollout = collector.collect(threads, "imitation", update, true);
        estimateAdvantages(rollout);
        learn(rollout, "imitation order", update, rate, new ImitationLoss(rollout, settings), 1);
        return result(update, rate, rollout, false);
    }

    private void estimateAdvantages(Rollout rollout) {
        gradient.estimateValues(rollout);
        int length = settings.stepsPerEnvironment();
        for (int i = 0; i < settings.environments(); i++) {
            float after = gradient.valueOf(runners().get(i).environment().observation());
            advantages(rollout, i * length, (i + 1) * length, after, settings);
        }
    }

    /// Estimates advantages backwards from the last step: the error of each step's value estimate,
    /// plus the discounted errors of later steps of the same episode.
    ///
    ///     error = reward + γ·next value − value        advantage = error + γ·λ·next advantage
    ///
    /// After the end of an episode there is no next value and no next advantage.
    ///
    /// @param after the value of the state after the last step
    static void advantages(Rollout rollout, int from, int to, float after, PpoSettings settings) {
        double discount = settings.discount();
        double nextValue = after;
        double nextAdvantage = 0;
        for (int i = to - 1; i >= from; i--) {
            if (rollout.ends[i]) {
                nextValue = 0;
                nextAdvantage = 0;
            }
            double error = rollout.rewards[i] + discount * nextValue - rollout.values[i];
            double advantage = error + discount * settings.gaeDecay() * nextAdvantage;
            rollout.advantages[i] = (float) advantage;
            rollout.returns[i] = (float) (advantage + rollout.values[i]);
            nextValue = rollout.values[i];
            nextAdvantage = advantage;
        }
    }

    /// Scales advantages to mean 0 and variance 1.
    private static void normalise(Rollout rollout) {
        double sum = 0;
        for (float each : rollout.advantages) {
            sum += each;
        }
        double mean = sum / rollout.steps;
        double squares = 0;
        for (float each : rollout.advantages) {
            squares += (each - mean) * (each - mean);
        }
        double deviation = Math.sqrt(squares / Math.max(1, rollout.steps - 1)) + 1e-8;
        for (int i = 0; i < rollout.steps; i++) {
            rollout.advantages[i] = (float) ((rollout.advantages[i] - mean) / deviation);
        }
    }

    /// Goes through the steps in minibatches, in a new random order each time.
    ///
    /// @return whether it stopped early
    private boolean learn(
            Rollout rollout, String purpose, int update, double rate, SampleLoss loss, int epochs) {
        var random = SeededRandom.of(seed, purpose, update);
        int size = rollout.steps / settings.minibatches();
        klSum = 0;
        klMax = 0;
        minibatches = 0;
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        for (int epoch = 0; epoch < epochs; epoch++) {
            shuffle(random);
            for (int from = 0; from < rollout.steps; from += size) {
                learn(rollout, from, from + size, update, rate, loss);
                if (klLast > settings.targetKl()) {
                    return true;
                }
            }
        }
        return false;
    }

    private void shuffle(SeededRandom random) {
        for (int i = order.length - 1; i > 0; i--) {
            int other = random.below(i + 1);
            int kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
    }

    private void learn(Rollout rollout, int from, int to, int update, double rate, SampleLoss of) {
        LossSums sums = gradient.compute(rollout, order, from, to, of);
        int size = to - from;
        policyLoss = sums.policy / size;
        valueLoss = sums.value / size;
        entropy = sums.entropy / size;
        loss = policyLoss - settings.entropyBonus() * entropy + settings.valueWeight() * valueLoss;
        klLast = sums.kl / size;
        klSum += klLast;
        klMax = Math.max(klMax, klLast);
        minibatches++;
        double norm = Adam.squaredNorm(gradient.ofPolicy()) + Adam.squaredNorm(gradient.ofValue());
        checkFinite(update, norm);
        // The gradients are sums over the minibatch, the losses are means.
        float mean = 1f / size;
        float scale = mean * Adam.clipScale(norm * mean * mean, settings.maxNorm());
        policy.optimiser().step(policy.weights(), gradient.ofPolicy(), scale, rate);
        value.optimiser().step(value.weights(), gradient.ofValue(), scale, rate);
    }

    private void checkFinite(int update, double norm) {
        if (!Double.isFinite(loss) || !Double.isFinite(norm)) {
            throw new TrainingDiverged(
                    String.format(
                            Locale.ROOT,
                            "update %d, minibatch %d: expected finite numbers, found loss %s"
                                    + " (policy %s, value %s, entropy %s), squared gradient %s",
                            update,
                            minibatches,
                            loss,
                            policyLoss,
                            valueLoss,
                            entropy,
                            norm));
        }
    }

    private UpdateResult result(int update, double rate, Rollout rollout, boolean stopped) {
        int episodes = 0;
        double total = 0;
        double length = 0;
        for (EpisodeRunner runner : runners()) {
            episodes += runner.finished();
            total += runner.finishedTotal();
            length += runner.finishedLength();
        }
        return new UpdateResult(
                update,
                (long) update * settings.stepsPerUpdate(),
                episodes,
                total / episodes,
                length / episodes,
                (double) rollout.invalid / rollout.steps,
                rollout.noopPart(),
                rate,
                settings.entropyBonus(),
                klLast,
                klSum / minibatches,
                klMax,
                stopped,
                loss,
                policyLoss,
                valueLoss,
                entropy);
    }

    /// The loss of PPO: the clipped objective, the entropy bonus, and the clipped value loss.
    record ClippedLoss(Rollout rollout, PpoSettings settings) implements SampleLoss {
        @Override
        public void policy(
                int sample, float[] probabilities, int at, float[] gradient, LossSums sums) {
            int action = rollout.taken[sample];
            float logRatio =
                    MaskedSoftmax.log(probabilities[at + action])
                            - rollout.logProbabilities[sample];
            float ratio = (float) StrictMath.exp(logRatio);
            float advantage = rollout.advantages[sample];
            float clip = (float) settings.clip();
            float free = -advantage * ratio;
            float clipped = -advantage * Math.clamp(ratio, 1 - clip, 1 + clip);
            sums.policy += Math.max(free, clipped);
            sums.kl += ratio - 1 - logRatio;
            float byLogProbability = free >= clipped ? free : 0;

            float now = MaskedSoftmax.entropy(probabilities, at, rollout.actions);
            float before = rollout.entropies[sample];
            float jump = (float) settings.entropyJump();
            boolean jumped = Math.abs(now - before) > jump;
            sums.entropy += before + Math.clamp(now - before, -jump, jump);
            float bonus = jumped ? 0 : (float) settings.entropyBonus();

            for (int i = 0; i < rollout.actions; i++) {
                float p = probabilities[at + i];
                if (p > 0) {
                    float chosen = i == action ? 1 : 0;
                    gradient[at + i] =
                            byLogProbability * (chosen - p)
                                    + bonus * p * (MaskedSoftmax.log(p) + now);
                }
            }
        }

        @Override
        public float value(int sample, float estimate, LossSums sums) {
            float before = rollout.values[sample];
            float target = rollout.returns[sample];
            float clip = (float) settings.clip();
            float moved = Math.clamp(estimate - before, -clip, clip);
            float free = (estimate - target) * (estimate - target);
            float clipped = (before + moved - target) * (before + moved - target);
            sums.value += 0.5 * Math.max(free, clipped);
            float weight = (float) settings.valueWeight();
            return free >= clipped ? weight * (estimate - target) : 0;
        }
    }

    /// The loss of imitation: the negative logarithm of the probability of the advised action.
    record ImitationLoss(Rollout rollout, PpoSettings settings) implements SampleLoss {
        @Override
        public void policy(
                int sample, float[] probabilities, int at, float[] gradient, LossSums sums) {
            int action = rollout.taken[sample];
            sums.policy -= MaskedSoftmax.log(probabilities[at + action]);
            sums.entropy += MaskedSoftmax.entropy(probabilities, at, rollout.actions);
            for (int i = 0; i < rollout.actions; i++) {
                gradient[at + i] = probabilities[at + i] - (i == action ? 1 : 0);
            }
        }

        @Override
        public float value(int sample, float estimate, LossSums sums) {
            float error = estimate - rollout.returns[sample];
            sums.value += 0.5 * error * error;
            return (float) settings.valueWeight() * error;
        }
    }
}
