package io.gpusched.lab;

import io.gpusched.lab.pools.DataFiles;
import io.gpusched.lab.pools.HpaTable;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/// `lab hpa`: decides the cases of the Kubernetes autoscaler again.
@Command(
        name = "hpa",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Decides the test cases of the Kubernetes autoscaler with the limiter of pools and",
            "compares the results. Exits with 1 if any differs.",
            ""
        },
        footer = {"", "docs/experiments/llm-pools.md describes the files."})
final class HpaCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            required = true,
            description =
                    "Directory with the files expected_hpa_rates… and expected_hpa_stabilization….")
    @SuppressWarnings("NullAway.Init")
    private Path data;

    @Option(
            names = "--out",
            paramLabel = "PATH",
            description = {
                "Write the decided rows as CSV: into this directory, each table under the name of",
                "its expected file, or one table after the other to this file."
            })
    private @Nullable Path out;

    @Override
    public Integer call() {
        PrintWriter lines = spec.commandLine().getOut();
        var decided = new TreeMap<String, String>();
        boolean allEqual = true;
        for (String table : List.of("expected_hpa_rates", "expected_hpa_stabilization")) {
            for (Path file : DataFiles.all(data, table)) {
                List<HpaTable.Outcome> outcomes = HpaTable.run(file);
                long equal = outcomes.stream().filter(HpaTable.Outcome::isEqual).count();
                for (HpaTable.Outcome outcome : outcomes) {
                    if (!outcome.isEqual()) {
                        lines.println("decided " + outcome.row());
                        lines.println("expected " + outcome.expected());
                    }
                }
                decided.put(String.valueOf(file.getFileName()), HpaTable.text(file, outcomes));
                allEqual &= equal == outcomes.size();
                lines.printf("%s: equal %d of %d%n", file.getFileName(), equal, outcomes.size());
            }
        }
        write(decided);
        lines.flush();
        return allEqual ? 0 : 1;
    }

    private void write(SortedMap<String, String> decided) {
        if (out != null && Files.isDirectory(out)) {
            for (var table : decided.entrySet()) {
                String name = table.getKey().replaceFirst("\\.gz$", "");
                Output.write(out.resolve(name), table.getValue());
            }
        } else {
            Output.write(out, String.join("", decided.values()));
        }
    }
}
