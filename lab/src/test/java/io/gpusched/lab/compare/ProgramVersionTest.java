package io.gpusched.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

final class ProgramVersionTest {
    @TempDir Path folder;

    @Test
    void thePrintIsOfTheClassesPackedOrNot() throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes/some"));
        Files.writeString(classes.resolve("A.class"), "one");
        Files.writeString(classes.resolve("B.class"), "two");
        List<Path> home = List.of(classes.getParent());
        String before = ProgramVersion.print(home);

        Path jar = folder.resolve("all.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (String name : List.of("some/B.class", "some/A.class")) {
                out.putNextEntry(new ZipEntry(name));
                out.write(Files.readAllBytes(classes.resolveSibling(name)));
            }
        }
        assertThat(ProgramVersion.print(List.of(jar))).isEqualTo(before);

        Files.writeString(classes.resolve("notes.txt"), "not a class");
        assertThat(ProgramVersion.print(home)).isEqualTo(before);
        Files.writeString(classes.resolve("B.class"), "three");
        assertThat(ProgramVersion.print(home)).isNotEqualTo(before);
    }

    @Test
    void thisProgramHasAPrintThatStays() {
        assertThat(ProgramVersion.print()).hasSize(16).isEqualTo(ProgramVersion.print());
    }
}
