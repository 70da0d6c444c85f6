package io.gpusched.lab;

import io.gpusched.lab.whatif.Journals;
import io.gpusched.store.JournalFile;
import io.gpusched.store.StoreException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/// Writes a scheduler's journal as lines of JSON.
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Writes a scheduler's journal as lines of JSON, one batch each, also while it runs.",
            "",
            "Jobs carry commands and environments: the file can be read by its owner only.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab export --data-dir data --out day.jsonl.gz",
            "",
            "A journal in PostgreSQL is exported by bin/scheduler --export FILE."
        })
final class Export implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            required = true,
            description = "The data folder of the scheduler.")
    @SuppressWarnings("NullAway.Init")
    private Path data;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            required = true,
            description = "The file to write, new; packed if its name ends in .gz.")
    @SuppressWarnings("NullAway.Init")
    private Path out;

    @Option(
            names = "--after",
            paramLabel = "BATCH",
            defaultValue = "0",
            description = "Leave out the batches up to this one (default ${DEFAULT-VALUE}).")
    private long after;

    @Override
    public Integer call() {
        if (!Files.isDirectory(data)) {
            throw new Hopeless(
                    "--data-dir: expected the data folder of a scheduler, found "
                            + (Files.exists(data) ? "the file " + data : "no folder " + data));
        }
        try (var reader = Journals.at(data).reader()) {
            long last = JournalFile.write(reader, after, out);
            spec.commandLine()
                    .getErr()
                    .println("wrote the journal up to batch " + last + " to " + out);
            return 0;
        } catch (StoreException e) {
            throw new Hopeless(String.valueOf(e.getMessage()));
        }
    }
}
