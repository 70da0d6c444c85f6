package io.gpusched.bench.server;

import java.util.Map;

/// The environment variables of measured programs.
final class Environments {
    private Environments() {}

    /// Takes out settings of the scheduler that this shell happens to have. What says where Java is
    /// stays.
    static Map<String, String> clean(Map<String, String> environment) {
        environment
                .keySet()
                .removeIf(
                        name ->
                                (name.startsWith("GPU_SCHEDULER_") || name.startsWith("SCHEDULER_"))
                                        && !name.equals("GPU_SCHEDULER_JAVA_HOME"));
        return environment;
    }
}
