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

/// Entry point of `gpu-cli`: parses the command line, runs one command and reports its errors.
/// Exits with 0 (success), 1 (refused or failed) or 2 (invalid command line).
public final class Main {
    private static final int FAILED = 1;
    private static final int INVALID_USAGE = 2;

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(CliContext.ofProcess(), args));
    }

    /// Runs one command line and returns the exit code.
    public static int run(CliContext context, String... args) {
        int code = runReporting(context, args);
        context.out().flush();
        context.err().flush();
        return code;
    }

    private static int runReporting(CliContext context, String... args) {
        PrintStream err = context.err();
        var argumentParser = new ArgumentParser(List.of(args), GlobalOptions.ALL);
        try {
            return runCommand(context, argumentParser);
        } catch (UsageError error) {
            err.println("gpu-cli: " + error.getMessage());
            err.println("Try 'gpu-cli --help', or 'gpu-cli COMMAND --help'.");
            return INVALID_USAGE;
        } catch (RequestRefused refused) {
            err.println(CellText.printable("gpu-cli: " + refused.sentence()));
            refused.details().forEach(line -> err.println(CellText.printable(line)));
            return FAILED;
        } catch (Unreachable unreachable) {
            err.println(CellText.printable("gpu-cli: " + unreachable.getMessage()));
            return FAILED;
        } catch (UncheckedIOException outputClosed) {
            return FAILED;
        }
    }

    private static int runCommand(CliContext context, ArgumentParser argumentParser) {
        String name = argumentParser.command();
        if (name.isEmpty() && !argumentParser.parsedArguments().of(GlobalOptions.VERSION)) {
            boolean helpWanted = argumentParser.parsedArguments().of(GlobalOptions.HELP);
            HelpCommand.all().forEach((helpWanted ? context.out() : context.err())::println);
            return helpWanted ? 0 : INVALID_USAGE;
        }
        CliCommand cliCommand = HelpCommand.named(name.isEmpty() ? "version" : name);
        ParsedArguments parsedArguments = argumentParser.rest(cliCommand.syntax());
        if (parsedArguments.of(GlobalOptions.HELP)) {
            HelpCommand.of(cliCommand).forEach(context.out()::println);
            return 0;
        }
        if (parsedArguments.of(GlobalOptions.VERSION)) {
            cliCommand = HelpCommand.named("version");
        }
        ArgumentParser.check(cliCommand.syntax(), parsedArguments);
        return cliCommand.run(new CliSetup(context, parsedArguments).cliSession(), parsedArguments);
    }
}
