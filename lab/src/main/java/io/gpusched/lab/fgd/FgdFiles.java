package io.gpusched.lab.fgd;

import io.gpusched.sim.trace.BadTrace;

import java.nio.file.Files;
import java.nio.file.Path;

/// The files of the experiment's directory, each compressed with gzip or not.
public final class FgdFiles {
    private final Path folder;

    public FgdFiles(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new BadTrace(
                    "there is no directory %s; --data names one with the files of the experiment"
                            .formatted(folder));
        }
        this.folder = folder;
    }

    boolean has(String name) {
        return Files.exists(folder.resolve(name)) || Files.exists(folder.resolve(name + ".gz"));
    }

    /// The path of `name` or `name.gz`.
    Path file(String name) {
        Path plain = folder.resolve(name);
        if (!has(name)) {
            throw new BadTrace(
                    ("%s has neither %s nor %s.gz; --data names a directory with the files of the"
                                    + " experiment")
                            .formatted(folder, name, name));
        }
        return Files.exists(plain) ? plain : folder.resolve(name + ".gz");
    }
}
