package io.gpusched.cli;

import io.gpusched.cli.args.ArgumentParser;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.command.CliCommand;
import io.gpusched.cli.command.GlobalOptions;
import io.gpusched.cli.command.HelpCommand;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.rest.RequestRefused;
import io.gpusched.cli.rest.Unreachable;

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
        System.exit(run(CliContext.ofProcess(), args));
    }

    /// Runs one command line in `world`, and returns the exit code.
    public static int run(CliContext world, String... args) {
        int code = told(world, args);
        world.out().flush();
        world.err().flush();
        return code;
    }

    private static int told(CliContext world, String... args) {
        PrintStream err = world.err();
        var argumentParser = new ArgumentParser(List.of(args), GlobalOptions.ALL);
        try {
            return understood(world, argumentParser);
        } catch (UsageError wrong) {
            err.println("gpu-cli: " + wrong.getMessage());
            err.println("Try 'gpu-cli --help', or 'gpu-cli COMMAND --help'.");
            return WRONG_USAGE;
        } catch (RequestRefused no) {
            err.println(CellText.tame("gpu-cli: " + no.sentence()));
            no.details().forEach(line -> err.println(CellText.tame(line)));
            return FAILED;
        } catch (Unreachable away) {
            err.println(CellText.tame("gpu-cli: " + away.getMessage()));
            return FAILED;
        } catch (UncheckedIOException nobodyReads) {
            return FAILED;
        }
    }

    private static int understood(CliContext world, ArgumentParser argumentParser) {
        String word = argumentParser.command();
        if (word.isEmpty() && !argumentParser.parsedArguments().of(GlobalOptions.VERSION)) {
            boolean asked = argumentParser.parsedArguments().of(GlobalOptions.HELP);
            HelpCommand.all().forEach((asked ? world.out() : world.err())::println);
            return asked ? 0 : WRONG_USAGE;
        }
        CliCommand cliCommand = HelpCommand.named(word.isEmpty() ? "version" : word);
        ParsedArguments parsedArguments = argumentParser.rest(cliCommand.syntax());
        if (parsedArguments.of(GlobalOptions.HELP)) {
            HelpCommand.of(cliCommand).forEach(world.out()::println);
            return 0;
        }
        if (parsedArguments.of(GlobalOptions.VERSION)) {
            cliCommand = HelpCommand.named("version");
        }
        ArgumentParser.check(cliCommand.syntax(), parsedArguments);
        return cliCommand.run(new CliSetup(world, parsedArguments).cliSession(), parsedArguments);
    }
}
