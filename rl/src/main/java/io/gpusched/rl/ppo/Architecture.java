package io.gpusched.rl.ppo;

import io.gpusched.rl.network.AttentionNetwork;
import io.gpusched.rl.network.MlpNetwork;
import io.gpusched.rl.network.NeuralNetwork;
import io.gpusched.rl.network.QueueEncoder;
import io.gpusched.rl.network.ScoreNetwork;
import io.gpusched.rl.network.StateNetwork;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The kinds of policy that can be trained. Each has a value network beside it.
public enum Architecture {
    /// Linear layers over the whole observation.
    MLP {
        @Override
        NeuralNetwork policy(int window, int gpus) {
            return MlpNetwork.policy(observed(window, gpus), window + 1);
        }
    },
    /// Cross-attention of jobs to GPUs.
    ATTN {
        @Override
        NeuralNetwork policy(int window, int gpus) {
            return AttentionNetwork.policy(window, gpus);
        }
    },
    /// A small network that scores each action by features of the job and the queue.
    SCORE {
        @Override
        NeuralNetwork policy(int window, int gpus) {
            return new ScoreNetwork(new QueueEncoder(window, gpus), SCORE_HIDDEN);
        }

        @Override
        NeuralNetwork value(int window, int gpus) {
            return new StateNetwork(new QueueEncoder(window, gpus), VALUE_HIDDEN);
        }
    };

    public static final List<String> NAMES =
            Arrays.stream(values()).map(Architecture::toString).toList();

    private static final int SCORE_HIDDEN = 32;
    private static final int VALUE_HIDDEN = 64;

    /// The version of observations that go into a network as they are.
    private static final String OBSERVATION = "observation-1";

    abstract NeuralNetwork policy(int window, int gpus);

    /// The network that estimates returns while a policy is trained.
    NeuralNetwork value(int window, int gpus) {
        return MlpNetwork.value(observed(window, gpus));
    }

    /// What turns an observation into the numbers that the policy takes.
    String encoder(int window, int gpus) {
        return policy(window, gpus) instanceof ScoreNetwork score
                ? score.encoder().version()
                : OBSERVATION;
    }

    static int observed(int window, int gpus) {
        return AttentionNetwork.PER_JOB * window + gpus + AttentionNetwork.GLOBALS;
    }

    /// Finds an architecture by its name; an unknown name is refused with the known ones.
    public static Architecture parse(String name) {
        int at = NAMES.indexOf(name);
        if (at < 0) {
            throw new IllegalArgumentException(
                    "unknown policy architecture '"
                            + name
                            + "'; known are "
                            + String.join(", ", NAMES));
        }
        return values()[at];
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
