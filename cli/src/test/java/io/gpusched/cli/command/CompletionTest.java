package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpusched.cli.Shell;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Runs the script in a real bash, as pressing Tab would.
final class CompletionTest {
    private static final Path BASH = Path.of("/bin/bash");

    @TempDir Path folder;

    @Test
    void commandsOptionsAndValuesAreCompleted() throws Exception {
        assumeTrue(Files.isExecutable(BASH), "no /bin/bash on this machine");

        assertThat(tab("gpu-cli", "sub")).containsExactly("submit");
        assertThat(tab("gpu-cli", "create-")).containsExactly("create-tenant", "create-token");
        assertThat(tab("gpu-cli", "submit", "--gpu-m"))
                .containsExactly("--gpu-memory", "--gpu-model");
        assertThat(tab("gpu-cli", "sbatch", "--api")).containsExactly("--api-url");
        assertThat(tab("gpu-cli", "list", "-o", "")).contains("json", "yaml", "name");
        assertThat(tab("gpu-cli", "list", "--state", "p")).containsExactly("pending", "preempted");
        assertThat(tab("gpu-cli", "--output", "j")).containsExactly("json");
        assertThat(tab("gpu-cli", "completion", "")).containsExactly("bash", "zsh");
        assertThat(tab("gpu-cli", "help", "ev")).containsExactly("events");
    }

    @Test
    void idsAreAskedFromTheServer() throws Exception {
        assumeTrue(Files.isExecutable(BASH), "no /bin/bash on this machine");
        Path fake = Files.writeString(folder.resolve("gpu-cli"), "#!/bin/sh\necho \"$1-1 $1-2\"\n");
        assertThat(fake.toFile().setExecutable(true)).isTrue();

        assertThat(tab(fake.toString(), "logs", "")).containsExactly("list-1", "list-2");
        assertThat(tab(fake.toString(), "cordon", "n")).containsExactly("nodes-1", "nodes-2");
        assertThat(tab(fake.toString(), "list", "--tenant", ""))
                .containsExactly("tenants-1", "tenants-2");
    }

    @Test
    void anotherShellIsWrongUsage() {
        assertThat(new Shell().run("completion", "csh").err())
                .contains("SHELL: expected bash or zsh, found 'csh'");
        assertThat(new Shell().run("completion", "zsh").out()).startsWith("autoload");
    }

    private List<String> tab(String... words) throws IOException, InterruptedException {
        Path script = folder.resolve("completion.bash");
        Files.writeString(script, new Shell().run("completion", "bash").out());
        String typed =
                "source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _gpu_cli; printf '%%s\\n' \"${COMPREPLY[@]}\""
                        .formatted(script, "'" + String.join("' '", words) + "'", words.length - 1);
        Process bash =
                new ProcessBuilder(BASH.toString(), "--norc", "-eu", "-c", typed)
                        .redirectErrorStream(true)
                        .start();
        String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(out).isZero();
        return out.lines().toList();
    }
}
