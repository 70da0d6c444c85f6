package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Everything a person can say about a job when submitting it. Null, or an empty collection, means
/// that it was not said.
final class JobOptions {
    @Option(names = "--name", paramLabel = "NAME", description = "Name of the job.")
    @Nullable String name;

    @Option(names = "--priority", paramLabel = "N", description = "Priority; higher wins.")
    @Nullable Long priority;

    @Option(
            names = {"-g", "--gpus"},
            paramLabel = "N",
            description = "GPUs in total; 0 for a job without GPUs.")
    @Nullable Long gpus;

    @Option(
            names = "--gpu-memory",
            paramLabel = "SIZE",
            converter = Quantities.Memory.class,
            description = "Memory needed on each GPU: 40Gi, 40GB, or megabytes.")
    @Nullable Long gpuMemory;

    @Option(
            names = "--gpu-model",
            paramLabel = "MODEL",
            description = "Acceptable GPU model, for example A100-80GB; may be repeated.")
    List<String> gpuModels = List.of();

    @Option(names = "--cpus", paramLabel = "N", description = "CPU cores.")
    @Nullable Long cpus;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = Quantities.Memory.class,
            description = "Main memory: 64Gi, 64GB, or megabytes.")
    @Nullable Long memory;

    @Option(
            names = "--gang",
            description = "Start all tasks together or none; may span several nodes.")
    boolean gang;

    @Option(names = "--tasks", paramLabel = "N", description = "Tasks of a gang.")
    @Nullable Long tasks;

    @Option(names = "--image", paramLabel = "IMAGE", description = "Container image.")
    @Nullable String image;

    @Option(names = "--script", paramLabel = "TEXT", description = "Shell script to run.")
    @Nullable String script;

    @Option(
            names = "--command",
            paramLabel = "WORD",
            description = "Program to run; the words after -- are then its arguments.")
    @Nullable String command;

    @Option(
            names = "--max-runtime",
            paramLabel = "TIME",
            converter = Quantities.Span.class,
            description = "Stop the job after this time: 90 (minutes) or 2h30m.")
    @Nullable Duration maxRuntime;

    @Option(
            names = "--grace",
            paramLabel = "SECONDS",
            description = "Time between the request to stop and the kill.")
    @Nullable Long grace;

    @Option(names = "--checkpoint", description = "The job saves its work when asked to stop.")
    boolean checkpoint;

    @Option(
            names = {"-e", "--env"},
            paramLabel = "KEY=VALUE",
            description = "Environment variable; may be repeated.")
    Map<String, String> environment = Map.of();

    @Option(
            names = {"-l", "--label"},
            paramLabel = "KEY=VALUE",
            description = "Label of the job; may be repeated.")
    Map<String, String> labels = Map.of();

    @Option(
            names = "--node-selector",
            paramLabel = "KEY=VALUE",
            description = "Only nodes with this label; may be repeated.")
    Map<String, String> nodeSelector = Map.of();

    @Option(
            names = "--toleration",
            paramLabel = "KEY[=VALUE][:EFFECT]",
            description = "Taint that the job tolerates; may be repeated.")
    List<String> tolerations = List.of();

    @Option(names = "--working-dir", paramLabel = "DIR", description = "Directory to run in.")
    @Nullable String workingDir;

    /// Adds what was said to `body`, by the names the server knows.
    void addTo(Body body, List<String> words) {
        body.with("name", name)
                .with("priority", priority)
                .with("gpu_count", gpus)
                .with("gpu_memory_mb", gpuMemory)
                .with("gpu_model", gpuModels)
                .with("cpu_cores", cpus)
                .with("memory_mb", memory)
                .with("gang_scheduling", gang ? Boolean.TRUE : null)
                .with("tasks", tasks)
                .with("image", image)
                .with("script", script)
                .with("command", command == null ? words : List.of(command))
                .with("args", command == null ? List.of() : words)
                .with("max_runtime_minutes", maxRuntime == null ? null : minutes(maxRuntime))
                .with("grace_seconds", grace)
                .with("checkpoint_enabled", checkpoint ? Boolean.TRUE : null)
                .with("environment", environment)
                .with("labels", labels)
                .with("node_selector", nodeSelector)
                .with("working_dir", workingDir);
        if (!tolerations.isEmpty()) {
            body.put(
                    "tolerations",
                    new Json.Items(tolerations.stream().map(JobOptions::toleration).toList()));
        }
    }

    /// The server counts whole minutes; half a minute more is better than a job cut short.
    private static Long minutes(Duration time) {
        return time.plusSeconds(59).toMinutes();
    }

    /// `key=value:NoSchedule` in the words of Kubernetes.
    private static Json toleration(String text) {
        int colon = text.lastIndexOf(':');
        String effect = colon < 0 ? null : text.substring(colon + 1);
        String pair = colon < 0 ? text : text.substring(0, colon);
        int equal = pair.indexOf('=');
        var body = new Body().with("key", equal < 0 ? pair : pair.substring(0, equal));
        return body.with("operator", equal < 0 ? "Exists" : "Equal")
                .with("value", equal < 0 ? null : pair.substring(equal + 1))
                .with("effect", effect)
                .json();
    }
}
