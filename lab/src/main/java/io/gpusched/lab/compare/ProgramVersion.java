package io.gpusched.lab.compare;

import io.gpusched.core.engine.Engine;
import io.gpusched.sim.Simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A fingerprint of the compiled scheduler and simulator.
///
/// Results of two builds must not be mixed in one table. The fingerprint covers the classes and not
/// the files that contain them, so it is the same for the same build, in a jar or not, on every
/// machine.
final class ProgramVersion {
    private static final class Once {
        static final String PRINT = print(List.of(home(Engine.class), home(Simulation.class)));
    }

    private ProgramVersion() {}

    static String print() {
        return Once.PRINT;
    }

    /// @param homes directories or jars of classes
    static String print(List<Path> homes) {
        var all = new StringBuilder();
        try {
            for (Path home : homes) {
                if (Files.isDirectory(home)) {
                    add(home, all);
                } else {
                    try (FileSystem jar = FileSystems.newFileSystem(home)) {
                        add(jar.getPath("/"), all);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the classes of this program cannot be read", e);
        }
        return Fingerprints.of(all.toString());
    }

    private static void add(Path root, StringBuilder to) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            List<Path> classes =
                    files.filter(file -> file.toString().endsWith(".class")).sorted().toList();
            for (Path each : classes) {
                String name = root.relativize(each).toString().replace('\\', '/');
                to.append(name)
                        .append(' ')
                        .append(Fingerprints.of(Files.readAllBytes(each)))
                        .append(' ');
            }
        }
    }

    private static Path home(Class<?> of) {
        try {
            return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("classes lie in a file or a directory", e);
        }
    }
}
