package io.gpusched.lab;

import io.gpusched.lab.pools.DataFiles;
import io.gpusched.lab.pools.ReplicaTable;
import io.gpusched.lab.spot.LineEnd;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/// `lab replica`: checks the simulated replica against expected times.
@Command(
        name = "replica",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Lets one simulated replica answer recorded requests and compares the times of first",
            "and last tokens with the expected ones. Exits with 1 if any differs.",
            ""
        },
        footer = {"", "docs/experiments/llm-pools.md describes the files."})
final class ReplicaCommand implements Callable<Integer> {
    private static final String TRACE = "AzureLLMInferenceTrace_conv";

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            required = true,
            description = "Directory with the file expected_replica….")
    @SuppressWarnings("NullAway.Init")
    private Path data;

    @Option(
            names = "--azure",
            paramLabel = "DIR",
            description = {
                "Directory with the file AzureLLMInferenceTrace_conv…",
                "(default: that of --data, or azure-llm-2023 beside it)."
            })
    private @Nullable Path azure;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write the answers to this file, as CSV.")
    private @Nullable Path out;

    @Override
    public Integer call() {
        PrintWriter lines = spec.commandLine().getOut();
        boolean allEqual = true;
        Path traces = DataFolder.given(azure, data, "azure-llm-2023", TRACE);
        for (Path file : DataFiles.all(data, "expected_replica")) {
            ReplicaTable table = ReplicaTable.run(file, DataFiles.one(traces, TRACE));
            lines.printf("%s: equal %d of %d%n", file.getFileName(), table.equal(), table.size());
            allEqual &= table.equal() == table.size();
            if (out != null) {
                Output.write(out, table.text().replace("\n", LineEnd.of(file)));
            }
        }
        lines.flush();
        return allEqual ? 0 : 1;
    }
}
