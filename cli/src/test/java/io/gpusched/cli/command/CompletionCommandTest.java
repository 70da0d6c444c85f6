package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpusched.cli.Shell;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Runs the script in a real shell, as pressing Tab would.
final class CompletionCommandTest {
    /// A shell, how it is started without anybody's settings, and what Tab does in it.
    enum Kind {
        BASH(
                List.of("/bin/bash", "--norc", "-eu", "-c"),
                """
                source %s; COMP_WORDS=(%s); COMP_CWORD=%d; COMP_LINE="${COMP_WORDS[*]}"
                _gpu_cli
                printf '%%s\\n' "${COMPREPLY[@]}"
                """),
        /// Outside of its line editor nothing takes candidates, so a function does, and like the
        /// editor drops those that do not begin with what was typed.
        ZSH(
                List.of("/bin/zsh", "-f", "-c"),
                """
                source %s; words=(%s); CURRENT=%d+1; PREFIX=$words[CURRENT]
                compadd() {
                    while [[ $1 != - ]]; do shift; done; shift
                    for found; do if [[ $found == "$PREFIX"* ]]; then print -r -- $found; fi; done
                }
                ${=_comps[${words[1]:t}]}
                """);

        private final List<String> command;
        private final String tab;

        Kind(List<String> command, String tab) {
            this.command = command;
            this.tab = tab;
        }
    }

    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource
    void commandsOptionsAndValuesAreCompleted(Kind shell) throws Exception {
        assertThat(tab(shell, "gpu-cli", "su")).containsExactly("submit");
        assertThat(tab(shell, "gpu-cli", "create-"))
                .containsExactly("create-tenant", "create-token");
        assertThat(tab(shell, "gpu-cli", "submit", "--gpu-m"))
                .containsExactly("--gpu-memory", "--gpu-model");
        assertThat(tab(shell, "gpu-cli", "sbatch", "--api")).containsExactly("--api-url");
        assertThat(tab(shell, "gpu-cli", "list", "-o", "")).contains("json", "yaml", "name");
        assertThat(tab(shell, "gpu-cli", "list", "--state", "p"))
                .containsExactly("pending", "preempted");
        assertThat(tab(shell, "gpu-cli", "--output", "j")).containsExactly("json");
        assertThat(tab(shell, "gpu-cli", "completion", "")).containsExactly("bash", "zsh");
        assertThat(tab(shell, "gpu-cli", "help", "ev")).containsExactly("events");
        assertThat(tab(shell, "gpu-cli", "submit", "--gpu-locality", "same"))
                .containsExactly("same-node", "same-socket");
        assertThat(tab(shell, "gpu-cli", "what-if", "--policy", "fair"))
                .containsExactly("fair", "fair-skip", "fair-strict");
        assertThat(tab(shell, "gpu-cli", "what-if", "--placement", "gpu"))
                .containsExactly("gpu-packing", "gpu-clustering");
    }

    @ParameterizedTest
    @EnumSource
    void idsAreAskedFromTheServer(Kind shell) throws Exception {
        Path fake = Files.writeString(folder.resolve("gpu-cli"), "#!/bin/sh\necho \"$1-1 $1-2\"\n");
        assertThat(fake.toFile().setExecutable(true)).isTrue();

        assertThat(tab(shell, fake.toString(), "logs", "")).containsExactly("list-1", "list-2");
        assertThat(tab(shell, fake.toString(), "cordon", "n"))
                .containsExactly("nodes-1", "nodes-2");
        assertThat(tab(shell, fake.toString(), "list", "--tenant", ""))
                .containsExactly("tenants-1", "tenants-2");
    }

    @ParameterizedTest
    @EnumSource
    void theServerNamedOnTheLineIsAsked(Kind shell) throws Exception {
        Path fake =
                Files.writeString(
                        folder.resolve("gpu-cli"), "#!/bin/sh\necho \"$GPU_SCHEDULER_API_URL\"\n");
        assertThat(fake.toFile().setExecutable(true)).isTrue();

        assertThat(tab(shell, fake.toString(), "--api-url", "http://there:1", "logs", ""))
                .containsExactly("http://there:1");
        assertThat(tab(shell, fake.toString(), "logs", "--api-url=http://there:2", ""))
                .containsExactly("http://there:2");
    }

    /// The module of the command line must not depend on that of the scheduler, so the sources of
    /// the latter are read.
    @Test
    void namesAreThoseOfTheScheduler() throws Exception {
        assertThat(CompletionCommand.policies())
                .containsAll(names("Policies", "NAMES"))
                .containsAll(names("Policies", "LEARNED"))
                .hasSize(names("Policies", "NAMES").size() + names("Policies", "LEARNED").size());
        assertThat(CompletionCommand.PLACEMENTS)
                .containsExactlyElementsOf(names("PlacementStrategies", "NAMES"));
    }

    private static List<String> names(String type, String constant) throws IOException {
        Path engine = Path.of("../core/src/main/java/io/gpusched/core/engine");
        String source = Files.readString(engine.resolve(type + ".java"));
        String list = source.substring(source.indexOf(" " + constant + " ="));
        return Pattern.compile("\"([^\"]+)\"")
                .matcher(list.substring(0, list.indexOf(';')))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Test
    void anotherShellIsWrongUsage() {
        assertThat(new Shell().run("completion", "csh").err())
                .contains("SHELL: expected bash or zsh, found 'csh'");
        assertThat(new Shell().run("completion", "zsh").out()).startsWith("autoload");
    }

    private List<String> tab(Kind shell, String... words) throws IOException, InterruptedException {
        Path program = Path.of(shell.command.getFirst());
        assumeTrue(Files.isExecutable(program), "no " + program + " on this machine");
        String name = program.getFileName().toString();
        Path script = folder.resolve("completion." + name);
        Files.writeString(script, new Shell().run("completion", name).out());
        String typed =
                shell.tab.formatted(
                        script, "'" + String.join("' '", words) + "'", words.length - 1);
        var builder = new ProcessBuilder(new ArrayList<>(shell.command)).redirectErrorStream(true);
        builder.command().add(typed);
        // Where zsh keeps what it found out about completions.
        builder.environment().put("ZDOTDIR", folder.toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out.lines().toList();
    }
}
