package io.gpusched.conventions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Runs `make build`, `make test`, `make lint` and `make clean`.
final class MakefileTest {
    private static final Path ROOT = Checkout.here().root();

    @TempDir private Path folder;

    @BeforeEach
    void makeIsThere() {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/make")), "make is not installed");
    }

    /// With a fake Maven that records its arguments. README and CI run the same commands.
    @Test
    void eachTargetRunsItsMavenCommand() throws Exception {
        assertThat(arguments("build")).containsExactly("-B -q -DskipTests package");
        assertThat(arguments("test")).containsExactly("-B verify");
        assertThat(arguments("clean")).containsExactly("-B -q clean");
        assertThat(Files.readString(ROOT.resolve(".ci/run"))).endsWith("\nmvn -B verify\n");
    }

    private List<String> arguments(String target) throws Exception {
        Path record = folder.resolve(target);
        Path tools = Files.createDirectories(folder.resolve("tools"));
        Path maven = tools.resolve("mvn");
        Files.writeString(maven, "#!/bin/sh\necho \"$*\" >> '" + record + "'\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        Path project = Files.createDirectories(folder.resolve("project"));
        Files.writeString(project.resolve("Makefile"), Files.readString(ROOT.resolve("Makefile")));
        var make = new ProcessBuilder("make", target).directory(project.toFile());
        make.environment().put("PATH", tools + ":/usr/bin:/bin");
        FakeClone.Ended ended = FakeClone.finish(make.start());
        assertThat(ended.code()).as(ended.err()).isZero();
        return Files.readAllLines(record);
    }

    /// In a copy of this checkout, with the real Maven.
    @Test
    @Tag("long")
    void aCloneIsBuiltLintedAndCleaned() throws Exception {
        Path clone = copy();
        make(clone, "build");
        assertThat(clone.resolve("server/target/server.jar")).isRegularFile();
        assertThat(clone.resolve("cli/target/cli.jar")).isRegularFile();
        make(clone, "lint");
        make(clone, "clean");
        assertThat(clone.resolve("server/target")).doesNotExist();
    }

    private Path copy() throws IOException {
        Path clone = folder.resolve("clone");
        for (Path file : Checkout.here().files()) {
            Path to = clone.resolve(file);
            Files.createDirectories(to.getParent());
            Files.copy(ROOT.resolve(file), to);
        }
        return clone;
    }

    private static void make(Path clone, String target) throws Exception {
        var make =
                new ProcessBuilder("make", target)
                        .directory(clone.toFile())
                        .redirectErrorStream(true);
        FakeClone.Ended ended = FakeClone.finish(make.start());
        assertThat(ended.code()).as("make " + target + "\n" + ended.out()).isZero();
    }
}
