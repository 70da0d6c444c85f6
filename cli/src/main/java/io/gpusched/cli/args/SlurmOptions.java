package io.gpusched.cli.args;

import java.util.List;
import java.util.Map;

/// Slurm's options, and the gpu-cli option to use instead.
///
/// Edit distance alone misleads here: `--time` is two letters from `--name`.
final class SlurmOptions {
    /// Our options of the same meaning, by Slurm's name; a command has at most one of them.
    private static final Map<String, List<String>> OURS =
            Map.ofEntries(
                    Map.entry("--time", List.of("--max-runtime")),
                    Map.entry("-t", List.of("--max-runtime", "--state")),
                    Map.entry("--states", List.of("--state")),
                    Map.entry("--mem", List.of("--memory")),
                    Map.entry("--cpus-per-task", List.of("--cpus")),
                    Map.entry("-c", List.of("--cpus")),
                    Map.entry("--gres", List.of("--gpus")),
                    Map.entry("--ntasks", List.of("--tasks")),
                    Map.entry("-n", List.of("--tasks")),
                    Map.entry("--nodes", List.of("--tasks")),
                    Map.entry("-N", List.of("--tasks")),
                    Map.entry("--job-name", List.of("--name")),
                    Map.entry("-J", List.of("--name")),
                    Map.entry("--chdir", List.of("--working-dir")),
                    Map.entry("-D", List.of("--working-dir")),
                    Map.entry("--constraint", List.of("--node-selector")),
                    Map.entry("-C", List.of("--node-selector")),
                    Map.entry("--partition", List.of("--node-selector")),
                    Map.entry("-p", List.of("--node-selector")),
                    Map.entry("--export", List.of("--env")),
                    Map.entry("--account", List.of("--tenant", "--tenant-id")),
                    Map.entry("--user", List.of("--tenant")),
                    Map.entry("-u", List.of("--tenant")));

    /// Options of Slurm that have no equivalent here, and what to do instead.
    private static final Map<String, String> WORKAROUNDS =
            Map.of(
                    "--array",
                    "submit one job per element:"
                            + " for i in $(seq 8); do gpu-cli submit --env INDEX=$i run.sh; done",
                    "--dependency",
                    "wait for the first job and then submit the second:"
                            + " gpu-cli wait job-7 && gpu-cli submit run.sh");

    private SlurmOptions() {}

    /// `; write --max-runtime instead` for `--time`, if the command has that option. Empty if
    /// `name` is not an option of Slurm.
    static String advice(String name, List<String> options) {
        String workaround = WORKAROUNDS.get(name);
        if (workaround != null) {
            return "; " + workaround;
        }
        return OURS.getOrDefault(name, List.of()).stream()
                .filter(options::contains)
                .findFirst()
                .map(ours -> "; write " + ours + " instead")
                .orElse("");
    }
}
