package io.gpusched.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.args.ArgumentParser;
import io.gpusched.cli.command.CommandCatalogue;
import io.gpusched.cli.command.GlobalOptions;
import io.gpusched.cli.command.HelpCommand;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The CLI guide shows only valid command lines, and every command.
final class GuideTest {
    /// A call in an indented line, up to shell syntax or a comment.
    private static final Pattern CALL =
            Pattern.compile("(?<!xargs |xargs -r )gpu-cli (.*?)(?: {2,}|\\)| [|&>]|$)");

    @Test
    void everyLineOfTheGuideCanBeTyped() throws IOException {
        var shown = new TreeSet<String>();
        for (List<String> words : calls()) {
            var argumentParser = new ArgumentParser(words, GlobalOptions.ALL);
            String command = argumentParser.command();
            if (!command.isEmpty()) {
                var syntax = HelpCommand.named(command).syntax();
                ArgumentParser.check(syntax, argumentParser.rest(syntax));
                shown.add(syntax.name());
            }
        }
        assertThat(shown).containsAll(CommandCatalogue.NAMES);
    }

    private static List<List<String>> calls() throws IOException {
        var calls = new ArrayList<List<String>>();
        for (Path page : pages()) {
            for (String line : Files.readAllLines(page)) {
                var call = CALL.matcher(line);
                boolean output = line.contains("gpu-cli: ") || !line.startsWith("    ");
                while (!output && call.find()) {
                    calls.add(List.of(call.group(1).strip().split(" +")));
                }
            }
        }
        return calls;
    }

    private static List<Path> pages() {
        Path here = Path.of("").toAbsolutePath();
        Path root = Files.exists(here.resolve("docs")) ? here : here.resolve("..");
        Path guide = root.resolve("docs/guide");
        return Stream.of("cli.md", "jobs.md", "tenants.md").map(guide::resolve).toList();
    }
}
