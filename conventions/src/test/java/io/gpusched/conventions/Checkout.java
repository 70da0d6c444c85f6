package io.gpusched.conventions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The files of this checkout that git tracks or could add, as paths relative to its root.
///
/// In a copy without git the directories are walked instead, leaving out hidden ones and build
/// output.
final class Checkout {
    private final Path root;
    private final List<Path> files;

    private Checkout(Path root, List<Path> files) {
        this.root = root;
        this.files = files;
    }

    static Checkout here() {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("bin/lib/launch.sh"))) {
            root = root.getParent();
            if (root == null) {
                throw new IllegalStateException("no bin/lib/launch.sh above the working directory");
            }
        }
        try {
            List<Path> tracked = tracked(root);
            return new Checkout(root, tracked.isEmpty() ? walked(root) : tracked);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path root() {
        return root;
    }

    List<Path> files() {
        return files;
    }

    List<Path> java() {
        return files.stream().filter(file -> file.toString().endsWith(".java")).toList();
    }

    /// The lines of a text file; none for a binary one.
    List<String> lines(Path file) {
        try {
            return Files.readAllLines(root.resolve(file));
        } catch (MalformedInputException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> tracked(Path root) throws IOException {
        Process git;
        try {
            git =
                    new ProcessBuilder(
                                    "git", "ls-files", "--cached", "--others", "--exclude-standard")
                            .directory(root.toFile())
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
        } catch (IOException e) {
            return List.of(); // no git on this machine
        }
        try (var lines = git.inputReader().lines()) {
            return existing(root, lines.map(Path::of));
        }
    }

    private static List<Path> walked(Path root) throws IOException {
        try (var paths = Files.walk(root)) {
            return existing(root, paths.map(root::relativize).filter(Checkout::isSource));
        }
    }

    private static boolean isSource(Path path) {
        for (Path part : path) {
            String name = part.toString();
            if (name.startsWith(".") || name.equals("target") || name.equals("data")) {
                return false;
            }
        }
        return true;
    }

    private static List<Path> existing(Path root, Stream<Path> paths) {
        return paths.filter(path -> Files.isRegularFile(root.resolve(path))).sorted().toList();
    }
}
