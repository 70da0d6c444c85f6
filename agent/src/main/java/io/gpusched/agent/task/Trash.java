package io.gpusched.agent.task;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/// What is to be deleted. Taking something is one rename and costs the agent's thread nothing;
/// deleting it may take minutes and is done by another thread. What was left here when the agent
/// stopped is deleted by the next one.
final class Trash {
    private static final Logger log = LoggerFactory.getLogger(Trash.class);

    private final Path folder;

    /// What could not be deleted and has been complained about. Only the deleting thread uses it.
    private final Set<String> stubborn = new HashSet<>();

    private int taken;

    /// @param folder on the same file system as everything that will be taken
    Trash(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
    }

    /// Takes a file or a directory away from where it is; nothing happens where there is none.
    void take(Path path) throws IOException {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            FileTrees.unlock(path); // A directory without permissions cannot be moved.
            taken++;
            Files.move(
                    path,
                    folder.resolve(path.getFileName() + "." + System.nanoTime() + "-" + taken));
        }
    }

    /// Deletes what was taken. What cannot be deleted stays, with one warning.
    void empty() {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path path : all) {
                delete(path);
            }
        } catch (IOException | DirectoryIteratorException e) {
            log.warn("cannot list {}; what ended tasks left there is not deleted", folder, e);
        }
    }

    private void delete(Path path) {
        try {
            FileTrees.delete(path);
        } catch (IOException e) {
            if (stubborn.add(path.getFileName().toString())) {
                log.warn("cannot delete {}; delete it by hand: {}", path, e.toString());
            }
        }
    }
}
