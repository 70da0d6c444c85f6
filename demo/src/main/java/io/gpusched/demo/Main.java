package io.gpusched.demo;

import io.gpusched.demo.pool.PoolTraffic;
import io.gpusched.server.Launch;
import io.gpusched.server.Server;
import io.gpusched.server.config.ConfigException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// `bin/scheduler --demo`: the scheduler with a fleet, tenants and a workload. Its data is deleted
/// at the end unless `--data-dir` names a directory.
public final class Main {
    private Main() {}

    public static void main(String... words) {
        refuseSeveral(List.of(words));
        List<String> rest = new ArrayList<>(Arrays.asList(words));
        rest.removeIf("--demo"::equals);
        boolean kept = rest.stream().anyMatch(word -> word.startsWith("--data-dir"));
        Runnable afterwards = () -> {};
        if (!kept) {
            Path folder = temporary();
            rest.addAll(List.of("--data-dir", folder.toString()));
            afterwards = () -> delete(folder);
            if (rest.stream().anyMatch(word -> word.startsWith("--config"))) {
                System.err.println(
                        "the demo does not touch the data_dir of the configuration; its data is in "
                                + folder
                                + ", or where --data-dir says");
            }
        }
        int code = Launch.run(rest, environment(), Main::bringToLife, afterwards);
        if (code != 0) {
            System.exit(code);
        }
    }

    /// Refuses a restore without a data directory: it would go into a temporary directory and be
    /// deleted.
    private static void refuseSeveral(List<String> words) {
        try {
            Launch.refuseSeveral(words);
        } catch (ConfigException e) {
            System.err.println(e.getMessage());
            System.exit(Launch.WRONG_USE);
        }
    }

    /// Defaults for the demo: telemetry every second, so that temperatures visibly change and idle
    /// GPUs are reported while a visitor watches; a short half-life of fair-share usage; frequent
    /// forecasts, by learned runtimes, because jobs are short; a policy in the shadow, so that
    /// there is one to compare.
    private static Map<String, String> environment() {
        var environment = new HashMap<>(System.getenv());
        environment.putIfAbsent("GPU_SCHEDULER_AGENT_METRICS_INTERVAL_MS", "1000");
        environment.putIfAbsent("GPU_SCHEDULER_SCHEDULER_IDLE_AFTER_SECONDS", "20");
        environment.putIfAbsent("GPU_SCHEDULER_SCHEDULER_FAIR_SHARE_HALF_LIFE_HOURS", "1");
        environment.putIfAbsent("GPU_SCHEDULER_LEARNING_OUTLOOK_SECONDS", "3");
        environment.putIfAbsent("GPU_SCHEDULER_LEARNING_PREDICTIONS", "true");
        environment.putIfAbsent("GPU_SCHEDULER_SCHEDULER_SHADOW_POLICY", "fair");
        return environment;
    }

    /// Starts everything except the server; closed before the server.
    static AutoCloseable bringToLife(Server server) {
        var access = new ServerAccess(server);
        var demoFleet = new DemoFleet(access.channel(), access.joinToken());
        var demoDriver = new DemoDriver(server.commandGateway(), server::view);
        var poolTraffic = new PoolTraffic(access.api());
        demoFleet.start();
        demoDriver.start();
        poolTraffic.start();
        return () -> {
            poolTraffic.close();
            demoDriver.close();
            demoFleet.close();
        };
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("gpu-scheduler-demo");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
