package io.gpusched.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// `bin/release` and `.ci/commit-messages`, run in a small repository.
final class ReleaseTest {
    private static final Path ROOT = Checkout.here().root();
    private static final String CHART = "deploy/helm/gpu-scheduler/Chart.yaml";

    @TempDir private Path project;

    @BeforeEach
    void aProjectWithTwoChanges() throws Exception {
        write("pom.xml", "<project>\n    <version>0.1.0</version>\n</project>\n");
        write(
                "core/pom.xml",
                """
                <project><parent>
                <version>0.1.0</version>
                </parent>
                <x>
                <version>0.1.0</version></x></project>
                """);
        write(CHART, "apiVersion: v2\nversion: 0.1.0\nappVersion: 0.1.0\n");
        write("CHANGELOG.md", "# Changes\n\nWhat changed.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n");
        write(".changes/README.md", "One file per change, for example:\n\n    added: a thing.\n");
        write(".changes/wait.md", "added: `gpu-cli wait`,\nwith the exit code of the job.\n");
        write(".changes/mend.md", "fixed: a sentence.\n");
        for (String script : List.of("bin/release", ".ci/commit-messages")) {
            Files.createDirectories(project.resolve(script).getParent());
            Files.copy(ROOT.resolve(script), project.resolve(script));
        }
        git("init", "-q", "-b", "main");
        git("config", "user.name", "Tester");
        git("config", "user.email", "tester@example.org");
        git("add", "-A");
        git("commit", "-q", "-m", "all: begin");
    }

    @Test
    void aReleaseMovesTheChangesSetsTheVersionAndTags() throws Exception {
        FakeClone.Ended released = run("bin/release", "--no-tests", "0.2.0");

        assertThat(released.code()).as(released.err()).isZero();
        assertThat(released.out()).contains("git push origin main v0.2.0");
        assertThat(read("CHANGELOG.md"))
                .startsWith("# Changes\n\nWhat changed.\n\n## 0.2.0 (")
                .contains("### Added\n\n- `gpu-cli wait`,\n  with the exit code of the job.\n")
                .contains("### Fixed\n\n- a sentence.\n\n## 0.1.0 (2026-01-01)\n");
        assertThat(project.resolve(".changes")).isDirectoryContaining("glob:**README.md");
        assertThat(project.resolve(".changes/wait.md")).doesNotExist();
        assertThat(read("pom.xml")).contains("<version>0.2.0</version>");
        assertThat(read("core/pom.xml")).containsOnlyOnce("0.2.0").containsOnlyOnce("0.1.0");
        assertThat(read(CHART)).isEqualTo("apiVersion: v2\nversion: 0.2.0\nappVersion: 0.2.0\n");
        assertThat(git("tag").out()).isEqualTo("v0.2.0\n");
        assertThat(git("status", "--porcelain").out()).isEmpty();
        assertThat(run(".ci/commit-messages").code()).isZero();
    }

    @Test
    void aReleaseThatCannotBeMadeChangesNothing() throws Exception {
        assertThat(run("bin/release", "--no-tests", "next").err()).contains("is not a version");
        assertThat(run("bin/release", "--no-tests", "0.1.0").err())
                .contains("CHANGELOG.md already has a section for 0.1.0");
        write("core/pom.xml", "changed\n");
        assertThat(run("bin/release", "--no-tests", "0.2.0").err())
                .contains("the work tree has uncommitted changes");
        assertThat(git("tag").out()).isEmpty();
    }

    @Test
    void aCommitMessageOfTheWrongFormIsRefused() throws Exception {
        assertThat(judged("core: keep the runtime a job was submitted with")).isEmpty();
        assertThat(judged("core, lab: read the same file once\n\nBecause.")).isEmpty();
        assertThat(judged("Keep the runtime")).contains("must read 'module: imperative verb");
        assertThat(judged("core: keep it.")).contains("full stop");
        assertThat(judged("core: wip")).contains("work in progress does not land");
        assertThat(judged("core: keep " + "it ".repeat(30) + "all")).contains("at most 65");
        assertThat(judged("core: keep it\nand more")).contains("an empty line must follow");
    }

    private String judged(String message) throws Exception {
        write("message", message + "\n");
        FakeClone.Ended ended = run(".ci/commit-messages", "--file", "message");
        assertThat(ended.code() == 0).as(ended.err()).isEqualTo(ended.err().isEmpty());
        return ended.err();
    }

    private FakeClone.Ended git(String... words) throws Exception {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(Arrays.asList(words));
        FakeClone.Ended ended = run(command.toArray(String[]::new));
        assertThat(ended.code()).as(ended.err()).isZero();
        return ended;
    }

    private FakeClone.Ended run(String... command) throws Exception {
        var process = new ProcessBuilder(command).directory(project.toFile());
        if (command[0].contains("/")) {
            process.command().set(0, project.resolve(command[0]).toString());
        }
        return FakeClone.finish(process.start());
    }

    private void write(String file, String text) throws IOException {
        Path path = project.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private String read(String file) throws IOException {
        return Files.readString(project.resolve(file));
    }
}
