package io.gpusched.lab.train;

import io.gpusched.rl.ppo.ModelShape;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// The names of training runs, as the published benchmark forms them.
public final class RunName {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd_HHmmss", Locale.ROOT);

    private RunName() {}

    /// The name without the time at which the run began.
    public static String of(String preset, ModelShape shape, int jobs, long seed) {
        return "ppo_%s_arch%s_lookahead_%s_%djobs_w%d_seed%d"
                .formatted(
                        preset,
                        shape.architecture(),
                        shape.lookahead().replace("_", ""),
                        jobs,
                        shape.window(),
                        seed);
    }

    public static String at(LocalDateTime began, String name) {
        return name + "_" + TIME.format(began);
    }
}
