package io.gpusched.bench.core;

import io.gpusched.bench.Thoroughness;

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.util.Collection;
import java.util.Locale;

/// Runs a JMH benchmark in a JVM of its own, quietly.
final class Jmh {
    /// JMH still uses what the JDK is about to take away.
    private static final String QUIET = "--sun-misc-unsafe-memory-access=allow";

    private Jmh() {}

    static Collection<RunResult> run(Class<?> benchmark, Thoroughness thoroughness, String... jvm)
            throws RunnerException {
        var options =
                options(benchmark, thoroughness).forks(1).jvmArgs(jvm).jvmArgsAppend(QUIET).build();
        Thread hook = Thread.ofPlatform().name("clean-up").unstarted(Jmh::endForks);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return new Runner(options).run();
        } finally {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    /// A fork would continue to measure after this process is told to end.
    private static void endForks() {
        ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
    }

    static ChainedOptionsBuilder options(Class<?> benchmark, Thoroughness thoroughness) {
        return new OptionsBuilder()
                .include("^" + benchmark.getName().replace(".", "\\.") + "\\.")
                .threads(1)
                .warmupIterations(thoroughness.pick(8, 1))
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(thoroughness.pick(10, 1))
                .measurementTime(TimeValue.seconds(1))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
    }

    /// How far the iterations lay apart.
    static String spread(RunResult run) {
        var statistics = run.getPrimaryResult().getStatistics();
        return String.format(
                Locale.ROOT,
                "%,.0f to %,.0f in %s iterations",
                statistics.getMin(),
                statistics.getMax(),
                statistics.getN());
    }
}
