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

/// Deletes files in the background. Moving a file here is one rename, which is cheap for the
/// agent's thread; deleting may take minutes and runs on another thread. The next agent deletes
/// what is left here.
final class Trash {
    private static final Logger log = LoggerFactory.getLogger(Trash.class);

    private final Path folder;

    /// Files that could not be deleted and have been logged. Only the deleting thread uses it.
    private final Set<String> stubborn = new HashSet<>();

    private int count;

    /// @param folder on the same file system as everything that is moved here
    Trash(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
    }

    /// Moves a file or directory here; does nothing if it does not exist.
    void take(Path path) throws IOException {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            FileTrees.unlock(path); // A directory without permissions cannot be moved.
            count++;
            Files.move(
                    path,
                    folder.resolve(path.getFileName() + "." + System.nanoTime() + "-" + count));
        }
    }

    /// Deletes everything here. A file that cannot be deleted stays, with one warning.
    void empty() {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path path : all) {
                delete(path);
            }
        } catch (IOException | DirectoryIteratorException e) {
            log.warn("cannot list {}; files of ended tasks there are not deleted", folder, e);
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
