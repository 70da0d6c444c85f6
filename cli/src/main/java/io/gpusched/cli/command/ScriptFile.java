package io.gpusched.cli.command;

import io.gpusched.cli.args.UsageError;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A script file that is read at submission, so that the nodes do not need the file.
///
/// The node passes the text to the interpreter that the first line names: `/bin/bash -c TEXT run.sh
/// a b`. For a shell, `$0` is the name of the file and `$1` the first argument, as if the file
/// itself were run.
///
/// @param name the last part of the path
/// @param interpreter the interpreter and its options, from the first line after `#!`; `/bin/sh` if
/// there is none
/// @param option the interpreter's option that takes a program as text
record ScriptFile(String name, String text, List<String> interpreter, String option) {
    /// Linux refuses a single argument of 128 KiB or more.
    private static final int MOST_BYTES = 100_000;

    private static final String ELSEWHERE =
            "put it where the node can read it and write: gpu-cli submit --working-dir DIR -- ./%s";

    /// Reads the file. Throws a `UsageError` with advice if that is not possible.
    static ScriptFile read(String file) {
        Path path = path(file);
        if (path == null || !Files.exists(path)) {
            throw new UsageError(
                    ("there is no file %s to submit; to run a command of the node, write it after"
                                    + " --: gpu-cli submit ... -- %s ...")
                            .formatted(file, file));
        }
        if (!Files.isRegularFile(path)) {
            throw new UsageError(file + " is not a regular file; submit expects a script file");
        }
        String name = path.getFileName().toString();
        return of(file, name, text(file, name, path));
    }

    /// Whether the first word of a shell text is a script file here, which could be submitted
    /// itself.
    static boolean isNamedBy(String shellText) {
        String first = shellText.strip().split("\\s+", 2)[0];
        if (first.isEmpty() || first.length() > 4096) {
            return false;
        }
        try {
            read(first);
            return true;
        } catch (UsageError noScript) {
            return false;
        }
    }

    /// The command that the node runs, up to the first argument of the script.
    List<String> command() {
        var command = new ArrayList<>(interpreter);
        command.add(option);
        command.add(text);
        if (isShell(program(interpreter))) {
            command.add(name);
        }
        return command;
    }

    private static @Nullable Path path(String file) {
        try {
            return Path.of(file);
        } catch (InvalidPathException noPath) {
            return null;
        }
    }

    private static String text(String file, String name, Path path) {
        try {
            long size = Files.size(path);
            if (size > MOST_BYTES) {
                throw new UsageError(
                        "%s has %d bytes; a submitted script has at most %d; "
                                        .formatted(file, size, MOST_BYTES)
                                + ELSEWHERE.formatted(name));
            }
            String text =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(Files.readAllBytes(path)))
                            .toString();
            if (text.indexOf('\0') >= 0) {
                throw binary(file, name);
            }
            return text;
        } catch (CharacterCodingException noText) {
            throw binary(file, name);
        } catch (IOException e) {
            throw new UsageError("cannot read " + file + " (" + FileErrors.of(e) + ")");
        }
    }

    private static UsageError binary(String file, String name) {
        return new UsageError(file + " is not a text file in UTF-8; " + ELSEWHERE.formatted(name));
    }

    private static ScriptFile of(String file, String name, String text) {
        if (text.isBlank()) {
            throw new UsageError(file + " is empty; a script has at least one command");
        }
        if (text.contains("\r\n")) {
            throw new UsageError(
                    "%s has Windows line endings, which shells do not understand; convert it:"
                                    .formatted(file)
                            + " sed -i 's/\\r$//' "
                            + file);
        }
        List<String> interpreter = interpreter(text);
        String option = option(program(interpreter));
        if (option.isEmpty()) {
            throw new UsageError(
                    "%s is a script for %s; submit supports scripts for shells, Python, Perl and Ruby; "
                                    .formatted(file, program(interpreter))
                            + ELSEWHERE.formatted(name));
        }
        return new ScriptFile(name, text, interpreter, option);
    }

    private static List<String> interpreter(String text) {
        String first = text.lines().findFirst().orElse("");
        String line = first.startsWith("#!") ? first.substring(2).strip() : "";
        return line.isEmpty() ? List.of("/bin/sh") : List.of(line.split("\\s+"));
    }

    /// `python3`, from `/usr/bin/env python3 -u` or `/usr/bin/python3`.
    private static String program(List<String> interpreter) {
        boolean env = interpreter.getFirst().endsWith("/env");
        String program =
                interpreter.stream()
                        .skip(env ? 1 : 0)
                        .filter(word -> !word.startsWith("-"))
                        .findFirst()
                        .orElse("env");
        return program.substring(program.lastIndexOf('/') + 1);
    }

    private static boolean isShell(String program) {
        return List.of("sh", "bash", "dash", "ash", "ksh", "zsh").contains(program);
    }

    private static String option(String program) {
        if (isShell(program) || program.startsWith("python")) {
            return "-c";
        }
        return program.equals("perl") || program.equals("ruby") ? "-e" : "";
    }
}
