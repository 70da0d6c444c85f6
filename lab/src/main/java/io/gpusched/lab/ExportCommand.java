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

/// `lab export`: writes a scheduler's journal as lines of JSON.
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Writes a scheduler's journal as JSON lines, one batch each. The scheduler may run.",
            "",
            "Only the owner can read the file, because jobs carry commands and environments.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  lab export --data-dir data --out day.jsonl.gz",
            "",
            "For a journal in PostgreSQL use bin/scheduler --export FILE."
        })
final class ExportCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            required = true,
            description = "Data directory of the scheduler.")
    @SuppressWarnings("NullAway.Init")
    private Path data;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            required = true,
            description =
                    "File to write, which must not exist; compressed with gzip if the name ends in"
                            + " .gz.")
    @SuppressWarnings("NullAway.Init")
    private Path out;

    @Option(
            names = "--after",
            paramLabel = "BATCH",
            defaultValue = "0",
            description = "Write only the batches after this one (default ${DEFAULT-VALUE}).")
    private long after;

    @Override
    public Integer call() {
        if (!Files.isDirectory(data)) {
            throw new UserError(
                    "--data-dir: expected the data directory of a scheduler, found "
                            + (Files.exists(data) ? "the file " + data : "no directory " + data));
        }
        try (var reader = Journals.at(data).reader()) {
            long last = JournalFile.write(reader, after, out);
            spec.commandLine()
                    .getErr()
                    .println("wrote the journal up to batch " + last + " to " + out);
            return 0;
        } catch (StoreException e) {
            throw new UserError(String.valueOf(e.getMessage()));
        }
    }
}
