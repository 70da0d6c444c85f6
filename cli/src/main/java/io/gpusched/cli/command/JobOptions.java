package io.gpusched.cli.command;

import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.json.Json;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Everything a person can say about a job when submitting it, and by which names the server knows
/// it.
final class JobOptions {
    static final Option<String> NAME = Option.text("--name", "NAME", "Name of the job.");
    static final Option<Long> PRIORITY =
            Option.whole(
                    "--priority",
                    "N",
                    "Priority, 100 unless the server says otherwise; higher wins.");
    static final Option<Long> GPUS =
            Option.whole("-g --gpus", "N", "GPUs in total, 1 unless said; 0 for none.");
    static final Option<Long> GPU_MEMORY =
            Option.memory(
                    "--gpu-memory",
                    "SIZE",
                    "Memory on each GPU: 40Gi, 40GB or megabytes; quotas count it once per job.");
    static final Option<List<String>> GPU_MODEL =
            Option.texts(
                    "--gpu-model",
                    "MODEL",
                    "Acceptable GPU model, such as A100-80GB; may be repeated.");
    static final Option<String> GPU_LOCALITY =
            Option.text(
                    "--gpu-locality",
                    "LOCALITY",
                    "GPUs of a task: any (unless said), same-node, same-socket or nvlink.");
    static final Option<String> MIN_BANDWIDTH =
            Option.text(
                    "--min-bandwidth", "RATE", "GB/s that every pair of GPUs must reach: 600Gi.");
    static final Option<String> MIG_PROFILE =
            Option.text(
                    "--mig-profile", "PROFILE", "MIG slices such as 1g.5gb; --gpus counts them.");
    static final Option<Long> GPU_PERCENT =
            Option.whole("--gpu-percent", "N", "Only this part of each GPU, 1 to 99.");
    static final Option<Long> CPUS =
            Option.whole("--cpus", "N", "CPU cores of all tasks together (default 1).");
    static final Option<Long> MEMORY =
            Option.memory("--memory", "SIZE", "Main memory: 64Gi, 64GB, or megabytes.");
    static final Option<Boolean> GANG =
            Option.flag("--gang", "Start all tasks together or none; may span several nodes.");
    static final Option<Long> TASKS = Option.whole("--tasks", "N", "Tasks of a gang.");
    static final Option<List<String>> NEAR =
            Option.texts(
                    "--near",
                    "LEVEL",
                    "Rather all tasks in one zone, block, rack or node; may be repeated.");
    static final Option<List<String>> WITHIN =
            Option.texts("--within", "LEVEL", "The same where it must be; may be repeated.");
    static final Option<String> IMAGE = Option.text("--image", "IMAGE", "Container image.");
    static final Option<String> SCRIPT =
            Option.text(
                    "--script",
                    "TEXT",
                    "Shell commands to run on the node; for a file, see WORD above.");
    static final Option<String> COMMAND =
            Option.text(
                    "--command", "WORD", "Program to run; the words after -- are its arguments.");
    static final Option<Duration> MAX_RUNTIME =
            Option.span(
                    "--max-runtime",
                    "TIME",
                    "Stop it after this time: 90 (minutes), 45s or 1:00:00 (default never).");
    static final Option<Long> GRACE =
            Option.seconds(
                    "--grace",
                    "TIME",
                    "Time from stop request to kill: 45 (seconds), 2m or 1:30 (default 30).");
    static final Option<Boolean> HOLD =
            Option.flag("--hold", "Do not start it before gpu-cli release.");
    static final Option<Boolean> CHECKPOINT =
            Option.flag("--checkpoint", "The job saves its work and goes on from there.");
    static final Option<Map<String, String>> ENV =
            Option.pairs("-e --env", "Environment variable; may be repeated.");
    static final Option<Map<String, String>> LABEL =
            Option.pairs("-l --label", "Label of the job; may be repeated.");
    static final Option<Map<String, String>> NODE_SELECTOR =
            Option.pairs("--node-selector", "Only nodes with this label; may be repeated.");
    static final Option<List<String>> TOLERATION =
            Option.texts(
                    "--toleration",
                    "KEY[=VALUE][:EFFECT]",
                    "Taint that the job tolerates; may be repeated.");
    static final Option<String> WORKING_DIR =
            Option.text(
                    "--working-dir",
                    "DIR",
                    "Directory to run in, on the node; an empty one unless said.");

    private JobOptions() {}

    /// Adds what was said to `body`. The words after `--` are the command, or its arguments where
    /// the command was named.
    static void addTo(RequestBody requestBody, ParsedArguments parsedArguments) {
        requestBody
                .text("name", NAME)
                .number("priority", PRIORITY)
                .number("gpu_count", GPUS)
                .number("gpu_memory_mb", GPU_MEMORY)
                .list("gpu_model", GPU_MODEL)
                .text("gpu_locality", GPU_LOCALITY)
                .text("gpu_min_bandwidth", MIN_BANDWIDTH)
                .text("mig_profile", MIG_PROFILE)
                .number("gpu_percent", GPU_PERCENT)
                .number("cpu_cores", CPUS)
                .number("memory_mb", MEMORY)
                .flag("gang_scheduling", GANG)
                .number("tasks", TASKS)
                .list("near", NEAR)
                .list("within", WITHIN)
                .text("image", IMAGE)
                .text("script", SCRIPT)
                .said("command", COMMAND, word -> Json.of(List.of(word)))
                .said(limitField(parsedArguments), MAX_RUNTIME, JobOptions::limit)
                .number("grace_seconds", GRACE)
                .flag("held", HOLD)
                .flag("checkpoint_enabled", CHECKPOINT)
                .map("environment", ENV)
                .map("labels", LABEL)
                .map("node_selector", NODE_SELECTOR)
                .said("tolerations", TOLERATION, JobOptions::tolerations)
                .text("working_dir", WORKING_DIR);
        if (!parsedArguments.operands().isEmpty() && parsedArguments.loose().isEmpty()) {
            requestBody.put(
                    parsedArguments.has(COMMAND) ? "args" : "command",
                    Json.of(parsedArguments.operands()));
        }
    }

    /// Whole minutes are sent as such: every server knows them.
    private static String limitField(ParsedArguments parsedArguments) {
        Duration limit =
                parsedArguments.has(MAX_RUNTIME) ? parsedArguments.of(MAX_RUNTIME) : Duration.ZERO;
        return isMinutes(limit) ? "max_runtime_minutes" : "max_runtime_seconds";
    }

    private static Json limit(Duration time) {
        return Json.of(isMinutes(time) ? time.toMinutes() : time.toSeconds());
    }

    private static boolean isMinutes(Duration time) {
        return time.toSecondsPart() == 0;
    }

    private static Json tolerations(List<String> texts) {
        return new Json.Items(texts.stream().map(JobOptions::toleration).toList());
    }

    /// `key=value:NoSchedule` in the words of Kubernetes.
    private static Json toleration(String text) {
        int colon = text.lastIndexOf(':');
        String pair = colon < 0 ? text : text.substring(0, colon);
        int equal = pair.indexOf('=');
        var fields = new LinkedHashMap<String, String>();
        fields.put("key", equal < 0 ? pair : pair.substring(0, equal));
        fields.put("operator", equal < 0 ? "Exists" : "Equal");
        if (equal >= 0) {
            fields.put("value", pair.substring(equal + 1));
        }
        if (colon >= 0) {
            fields.put("effect", text.substring(colon + 1));
        }
        return Json.of(fields);
    }
}
