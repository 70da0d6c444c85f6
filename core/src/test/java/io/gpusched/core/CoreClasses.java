package io.gpusched.core;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import java.nio.file.Files;
import java.nio.file.Path;

/// The compiled main classes of core, read once for all architecture tests.
final class CoreClasses {
    static final JavaClasses ALL = read();

    private CoreClasses() {}

    private static JavaClasses read() {
        Path classes = Path.of("target", "classes");
        if (!Files.isDirectory(classes)) {
            throw new IllegalStateException("run in the directory core, after its compilation");
        }
        return new ClassFileImporter().importPath(classes);
    }
}
