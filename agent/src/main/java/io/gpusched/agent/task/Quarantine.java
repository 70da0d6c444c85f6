package io.gpusched.agent.task;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The directory for damaged task directories, so that an operator can inspect them and the agent
/// does not read them again. Only the newest few are kept.
final class Quarantine {
    private static final Logger log = LoggerFactory.getLogger(Quarantine.class);
    private static final int MOST = 20;

    private final Path folder;
    private final Trash trash;

    Quarantine(Path folder, Trash trash) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.trash = trash;
    }

    /// Moves a file or directory here.
    ///
    /// @return its new path
    Path take(Path path, String why) throws IOException {
        Path aside = folder.resolve(path.getFileName() + "." + System.nanoTime());
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            FileTrees.unlock(path);
            Files.move(path, aside);
            log.warn("{} is damaged and was set aside as {}: {}", path, aside, why);
            dropOldest();
        } else {
            log.warn("{} is damaged: {}", path, why);
        }
        return aside;
    }

    private void dropOldest() throws IOException {
        record Aside(Path path, FileTime at) {}
        List<Aside> all = new ArrayList<>();
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
            for (Path path : paths) {
                all.add(
                        new Aside(
                                path, Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS)));
            }
        }
        all.sort(Comparator.comparing(Aside::at));
        for (int i = 0; i < all.size() - MOST; i++) {
            trash.take(all.get(i).path);
        }
    }
}
