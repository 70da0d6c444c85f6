package io.gpusched.cli;

import io.gpusched.cli.command.Action;
import io.gpusched.cli.command.Grammar;
import io.gpusched.cli.command.Misuse;
import io.gpusched.cli.rest.Refused;
import io.gpusched.cli.rest.Unreachable;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;

/// The command line: reads the words, carries out one command, tells what went wrong in one place,
/// and exits with 0 (done), 1 (refused or failed) or 2 (wrong usage).
public final class Main {
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private Main() {}

    public static void main(String[] args) {
        int code = run(Surroundings.ofProcess(), args);
        System.exit(code);
    }

    /// Runs one command line in `world`, and returns the exit code.
    public static int run(Surroundings world, String... args) {
        int code = told(world, args);
        world.out().flush();
        world.err().flush();
        return code;
    }

    private static int told(Surroundings world, String... args) {
        PrintStream err = world.err();
        try {
            return parsed(world, args);
        } catch (ParameterException wrong) {
            err.println("gpu-cli: " + wrong.getMessage());
            UnmatchedArgumentException.printSuggestions(wrong, err);
            String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
            err.println("Try '" + command + " --help'.");
            return WRONG_USAGE;
        } catch (Misuse wrong) {
            err.println("gpu-cli: " + wrong.getMessage());
            return WRONG_USAGE;
        } catch (Refused no) {
            err.println("gpu-cli: " + no.sentence());
            no.details().forEach(err::println);
            return FAILED;
        } catch (Unreachable away) {
            err.println("gpu-cli: " + away.getMessage());
            return FAILED;
        } catch (UncheckedIOException nobodyReads) {
            return FAILED;
        }
    }

    private static int parsed(Surroundings world, String... args) {
        var globals = new Globals();
        ParseResult words = parse(globals, args);
        while (words.hasSubcommand()) {
            words = words.subcommand();
        }
        CommandLine chosen = words.commandSpec().commandLine();
        if (words.isUsageHelpRequested()) {
            chosen.usage(world.out());
            return 0;
        }
        if (words.isVersionHelpRequested()) {
            chosen.printVersionHelp(world.out());
            return 0;
        }
        if (words.commandSpec().userObject() instanceof Action action) {
            return action.run(globals.session(world));
        }
        chosen.usage(world.err());
        return WRONG_USAGE;
    }

    /// Reads the words with the small grammar that fits them. Should they not fit, the whole one is
    /// asked as well, because its complaint knows what else the person may have meant.
    private static ParseResult parse(Globals globals, String... args) {
        try {
            return Grammar.forWords(globals, List.of(args)).parseArgs(args);
        } catch (ParameterException unclear) {
            Grammar.whole(new Globals()).parseArgs(args);
            throw unclear;
        }
    }
}
