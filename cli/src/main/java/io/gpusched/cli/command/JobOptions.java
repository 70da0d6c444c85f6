package io.gpusched.cli.command;

import io.gpusched.cli.args.Option;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.json.Json;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Options of a submission, and the request field of each.
final class JobOptions {
    static final Option<String> NAME =
            Option.text("--name", "NAME", "Name of the job (default: job).");
    static final Option<Long> PRIORITY =
            Option.whole(
                    "--priority",
                    "N",
                    "Priority; higher runs first (default: 100, unless configured otherwise).");
    static final Option<Long> GPUS =
            Option.whole("-g --gpus", "N", "GPUs of all tasks together; 0 for none (default: 1).");
    static final Option<Long> GPU_MEMORY =
            Option.memory(
                    "--gpu-memory",
                    "SIZE",
                    "Memory needed on each GPU: 40Gi, 40GB or megabytes; quotas count it once per"
                            + " job.");
    static final Option<List<String>> GPU_MODEL =
            Option.texts(
                    "--gpu-model",
                    "MODEL",
                    "Acceptable GPU model, such as A100-80GB; may be repeated (default: any).");
    static final Option<String> GPU_LOCALITY =
            Option.text(
                    "--gpu-locality",
                    "LOCALITY",
                    "How the GPUs of a task are connected: any, same-node, same-socket or nvlink"
                            + " (default: any).");
    static final Option<String> MIN_BANDWIDTH =
            Option.text(
                    "--min-bandwidth",
                    "RATE",
                    "Bandwidth between each pair of GPUs in GB/s, such as 600Gi.");
    static final Option<String> MIG_PROFILE =
            Option.text(
                    "--mig-profile",
                    "PROFILE",
                    "Use MIG slices of this profile, such as 1g.5gb; --gpus counts slices.");
    static final Option<Long> GPU_PERCENT =
            Option.whole("--gpu-percent", "N", "Use only this percentage of each GPU, 1 to 99.");
    static final Option<Long> CPUS =
            Option.whole("--cpus", "N", "CPU cores of all tasks together (default: 1).");
    static final Option<Long> MEMORY =
            Option.memory(
                    "--memory",
                    "SIZE",
                    "Main memory of all tasks together: 64Gi, 64GB or megabytes (default: 0).");
    static final Option<Boolean> GANG =
            Option.flag(
                    "--gang",
                    "Start all tasks at the same time or none; the job may span several nodes.");
    static final Option<Long> TASKS =
            Option.whole(
                    "--tasks",
                    "N",
                    "Number of tasks of a gang (default: as few as the nodes allow).");
    static final Option<List<String>> NEAR =
            Option.texts(
                    "--near",
                    "LEVEL",
                    "Prefer all tasks in the same zone, block, rack or node; may be repeated.");
    static final Option<List<String>> WITHIN =
            Option.texts(
                    "--within",
                    "LEVEL",
                    "Require all tasks in the same zone, block, rack or node; may be repeated.");
    static final Option<String> IMAGE =
            Option.text(
                    "--image",
                    "IMAGE",
                    "Container image; recorded only, the job runs without a container.");
    static final Option<String> SCRIPT =
            Option.text(
                    "--script",
                    "TEXT",
                    "Shell commands to run on the node; to send a script file, see WORD above.");
    static final Option<String> COMMAND =
            Option.text(
                    "--command", "WORD", "Program to run; the words after -- are its arguments.");
    static final Option<Duration> MAX_RUNTIME =
            Option.span(
                    "--max-runtime",
                    "TIME",
                    "Stop the job after this time: 90 (minutes), 45s or 1:00:00 (default: never).");
    static final Option<Duration> CARBON_SHIFT =
            Option.span(
                    "--carbon-shift",
                    "TIME",
                    "Start when power is cleanest, at most this long after submission: 6h or 90"
                            + " (minutes); 0 to start at once (default: the cluster's rule).");
    static final Option<Long> CARBON_MAX =
            Option.count(
                    "--carbon-max",
                    "GRAMS",
                    "With --carbon-shift: power is clean enough up to this, in g CO2 per kWh.");
    static final Option<List<String>> REGION =
            Option.texts(
                    "--prefer-region",
                    "REGION",
                    "Prefer nodes in this region; may be repeated, the first is preferred.");
    static final Option<Long> GRACE =
            Option.seconds(
                    "--grace",
                    "TIME",
                    "Time between stop request and kill: 45 (seconds), 2m or 1:30 (default: 30).");
    static final Option<String> DEADLINE =
            Option.text(
                    "--deadline",
                    "TIME",
                    "Finish by then: 52h from now, or 2026-11-20T08:00:00Z; the job may be moved"
                            + " between spot capacity and capacity on demand (default: none).");
    static final Option<Long> WORK =
            Option.seconds(
                    "--work",
                    "TIME",
                    "Run time that a job with a deadline needs: 48h (default: the expected"
                            + " runtime, or --max-runtime).");
    static final Option<Long> RESTART_COST =
            Option.seconds(
                    "--restart-cost",
                    "TIME",
                    "Run time that every start of a job with a deadline loses: 6m (default: 6m"
                            + " with --checkpoint).");
    static final Option<Boolean> HOLD =
            Option.flag("--hold", "Hold the job: it does not start until gpu-cli release.");
    static final Option<Boolean> CHECKPOINT =
            Option.flag("--checkpoint", "The job saves checkpoints and resumes from the last one.");
    static final Option<Boolean> NO_REQUEUE =
            Option.flag(
                    "--no-requeue",
                    "Run once: the job ends when it is preempted, drained or lost (default: it"
                            + " waits and starts again).");
    static final Option<Map<String, String>> ENV =
            Option.pairs("-e --env", "Environment variable of the job; may be repeated.");
    static final Option<Map<String, String>> LABEL =
            Option.pairs("-l --label", "Label of the job; may be repeated.");
    static final Option<Map<String, String>> NODE_SELECTOR =
            Option.pairs("--node-selector", "Run only on nodes with this label; may be repeated.");
    static final Option<List<String>> TOLERATION =
            Option.texts(
                    "--toleration",
                    "KEY[=VALUE][:EFFECT]",
                    "Taint that the job tolerates; may be repeated.");
    static final Option<String> WORKING_DIR =
            Option.text(
                    "--working-dir",
                    "DIR",
                    "Working directory on the node (default: a new empty directory).");

    private static final List<Option<?>> ALL =
            List.of(
                    NAME,
                    PRIORITY,
                    GPUS,
                    GPU_MEMORY,
                    GPU_MODEL,
                    GPU_LOCALITY,
                    MIN_BANDWIDTH,
                    MIG_PROFILE,
                    GPU_PERCENT,
                    CPUS,
                    MEMORY,
                    GANG,
                    TASKS,
                    NEAR,
                    WITHIN,
                    CARBON_SHIFT,
                    CARBON_MAX,
                    REGION,
                    IMAGE,
                    SCRIPT,
                    COMMAND,
                    MAX_RUNTIME,
                    GRACE,
                    DEADLINE,
                    WORK,
                    RESTART_COST,
                    HOLD,
                    CHECKPOINT,
                    NO_REQUEUE,
                    ENV,
                    LABEL,
                    NODE_SELECTOR,
                    TOLERATION,
                    WORKING_DIR);

    private JobOptions() {}

    /// All of them, followed by others.
    static Option<?>[] and(Option<?>... others) {
        return Stream.concat(ALL.stream(), Stream.of(others)).toArray(Option<?>[]::new);
    }

    /// Adds the given options to the request. The words after `--` are the command, or the
    /// arguments of `--command`.
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
                .value("command", COMMAND, word -> Json.of(List.of(word)))
                .value(limitField(parsedArguments), MAX_RUNTIME, JobOptions::limit)
                .number("grace_seconds", GRACE)
                .text("deadline", DEADLINE)
                .number("work_seconds", WORK)
                .number("restart_seconds", RESTART_COST)
                .flag("held", HOLD)
                .flag("checkpoint_enabled", CHECKPOINT)
                .value("requeue", NO_REQUEUE, once -> Json.of(!once))
                .map("environment", ENV)
                .map("labels", LABEL)
                .map("node_selector", NODE_SELECTOR)
                .value("tolerations", TOLERATION, JobOptions::tolerations)
                .text("working_dir", WORKING_DIR);
        Json carbon = carbon(parsedArguments);
        if (!carbon.fields().isEmpty()) {
            requestBody.put("carbon", carbon);
        }
        if (!parsedArguments.operands().isEmpty() && parsedArguments.beforeDashes().isEmpty()) {
            requestBody.put(
                    parsedArguments.has(COMMAND) ? "args" : "command",
                    Json.of(parsedArguments.operands()));
        }
    }

    private static Json carbon(ParsedArguments parsedArguments) {
        return new RequestBody(parsedArguments)
                .value("shift_hours", CARBON_SHIFT, JobOptions::hours)
                .number("max_intensity", CARBON_MAX)
                .list("preferred_regions", REGION)
                .json();
    }

    private static Json hours(Duration time) {
        return Json.of(
                BigDecimal.valueOf(time.toSeconds())
                        .divide(BigDecimal.valueOf(3_600), 6, RoundingMode.HALF_UP)
                        .stripTrailingZeros());
    }

    /// A limit in whole minutes is sent in minutes, because every server knows that field.
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

    /// `key=value:NoSchedule` as the toleration object of Kubernetes.
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
