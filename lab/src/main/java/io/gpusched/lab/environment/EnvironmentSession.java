package io.gpusched.lab.environment;

import io.gpusched.rl.Environment;
import io.gpusched.rl.EnvironmentSettings;
import io.gpusched.rl.GymEnvironment;
import io.gpusched.rl.VectorEnvironment;
import io.gpusched.sim.generate.RandomStream;
import io.gpusched.wire.request.JsonReader;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.MalformedException;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The requests of one client, each answered at once. A request that cannot be used is answered
/// with an error and changes nothing.
///
/// The form of answers depends on `num_envs` in `make`: without it the client has one environment
/// and resets it itself; with it, it has many, and an environment whose episode ends begins the
/// next one in the same step.
final class EnvironmentSession implements AutoCloseable {
    /// The version of the protocol.
    static final int PROTOCOL = 1;

    /// The longest request, in bytes.
    static final int LONGEST = 1 << 20;

    private static final int MOST_ENVIRONMENTS = 256;

    /// Larger batches would need too much memory.
    private static final int MOST_JOBS = 200_000;

    /// Environments of a scenario or a trace are larger.
    private static final int MOST_GIVEN = 16;

    private static final int MOST_THREADS = 2;

    private final EnvironmentParameters standard;
    private final @Nullable Supplier<? extends GymEnvironment> given;
    private final JsonReader reader = new JsonReader(LONGEST);
    private @Nullable VectorEnvironment all;
    private boolean many;
    private boolean begun;
    private boolean closed;
    private long nextSeed;

    /// @param standard the settings that `make` does not name
    EnvironmentSession(EnvironmentParameters standard) {
        this(standard, null);
    }

    /// @param given makes the environment that is served; null where `make` describes it
    EnvironmentSession(
            EnvironmentParameters standard, @Nullable Supplier<? extends GymEnvironment> given) {
        this.standard = standard;
        this.given = given;
    }

    /// Whether the client has said that it is done.
    boolean isClosed() {
        return closed;
    }

    /// Answers one line, without the line break.
    String answer(byte[] line) {
        try {
            return answer(reader.readObject(line));
        } catch (MalformedException e) {
            return AnswerText.error(e.field(), e.says());
        } catch (RequestError e) {
            return AnswerText.error(e.field(), e.says());
        }
    }

    private String answer(JsonTree.Mapping request) {
        if (request.entries().size() != 1) {
            throw new RequestError(
                    "",
                    "expected one of make, reset, step, close, found "
                            + request.entries().size()
                            + " keys");
        }
        Map.Entry<String, JsonTree> only = request.entries().firstEntry();
        String name = only.getKey();
        var object = RequestObject.of(name, only.getValue());
        return switch (name) {
            case "make" -> make(object);
            case "reset" -> reset(object);
            case "step" -> many ? stepAll(object) : step(object);
            case "close" -> end(object);
            default ->
                    throw new RequestError(
                            name, "unknown request; expected one of make, reset, step, close");
        };
    }

    private String make(RequestObject object) {
        return given == null ? makeBenchmark(object) : makeGiven(object, given);
    }

    private String makeGiven(RequestObject object, Supplier<? extends GymEnvironment> make) {
        boolean several = object.has("num_envs");
        int count = object.whole("num_envs", 1);
        object.end();
        try {
            EnvironmentParameters.between("num_envs", count, 1, MOST_GIVEN);
        } catch (RequestError e) {
            throw new RequestError("make." + e.field(), e.says());
        }
        many = several;
        return AnswerText.made(replace(make, count));
    }

    private String makeBenchmark(RequestObject object) {
        var parameters =
                new EnvironmentParameters(
                        object.whole("num_gpus", standard.numGpus()),
                        object.whole("max_queue_size", standard.maxQueueSize()),
                        object.whole("max_episode_steps", standard.maxEpisodeSteps()),
                        object.number("max_duration", standard.maxDuration()),
                        object.whole("jobs_per_episode", standard.jobsPerEpisode()),
                        object.text("arrival_mode", standard.arrivalMode()),
                        object.number("arrival_span", standard.arrivalSpan()),
                        object.number("horizon_factor", standard.horizonFactor()),
                        object.text("lookahead_mode", standard.lookaheadMode()));
        boolean several = object.has("num_envs");
        int count = object.whole("num_envs", 1);
        object.end();
        try {
            EnvironmentParameters.between("num_envs", count, 1, MOST_ENVIRONMENTS);
            EnvironmentSettings settings = parameters.settings();
            EnvironmentParameters.between(
                    "num_envs",
                    count,
                    1,
                    Math.max(1, MOST_JOBS / (settings.workload().jobs() + settings.window())));
            many = several;
            return AnswerText.made(
                    settings, replace(() -> new Environment(settings), count).size());
        } catch (RequestError e) {
            throw new RequestError("make." + e.field(), e.says());
        }
    }

    private VectorEnvironment replace(Supplier<? extends GymEnvironment> make, int count) {
        close();
        int threads = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
        var made = new VectorEnvironment(make, count, threads);
        all = made;
        begun = false;
        return made;
    }

    /// The environment of a client that resets before it makes one.
    private Supplier<? extends GymEnvironment> usual() {
        EnvironmentSettings settings = standard.settings();
        return given == null ? () -> new Environment(settings) : given;
    }

    private String reset(RequestObject object) {
        VectorEnvironment present = all == null ? replace(usual(), 1) : all;
        long last = RandomStream.MOST_SEED - present.size() + 1;
        long seed = object.seed("seed", nextSeed > last ? 0 : nextSeed);
        object.end();
        if (seed > last) {
            throw new RequestError(
                    "reset.seed",
                    "expected at most %s for %s environments, found %s"
                            .formatted(last, present.size(), seed));
        }
        present.reset(seed);
        nextSeed = seed + present.size();
        begun = true;
        return many ? AnswerText.begunAll(present) : AnswerText.begun(present);
    }

    private VectorEnvironment begun() {
        if (all == null || !begun) {
            throw new RequestError("step", "no episode has begun; send reset first");
        }
        return all;
    }

    private String step(RequestObject object) {
        int action = object.whole("action");
        object.end();
        VectorEnvironment present = begun();
        if (present.terminated()[0] || present.truncated()[0]) {
            throw new RequestError("step", "the episode is over; send reset first");
        }
        present.step(new int[] {action});
        return AnswerText.stepped(present);
    }

    private String stepAll(RequestObject object) {
        List<Integer> actions = object.wholes("actions");
        object.end();
        VectorEnvironment present = begun();
        if (actions.size() != present.size()) {
            throw new RequestError(
                    "step.actions",
                    "expected %s actions, found %s".formatted(present.size(), actions.size()));
        }
        present.step(actions.stream().mapToInt(each -> each).toArray());
        var result = new VectorResult(present);
        present.resetEnded();
        return AnswerText.steppedAll(present, result);
    }

    private String end(RequestObject object) {
        object.end();
        closed = true;
        return AnswerText.closed();
    }

    /// Ends the threads of the environments.
    @Override
    public void close() {
        if (all != null) {
            all.close();
            all = null;
        }
    }
}
