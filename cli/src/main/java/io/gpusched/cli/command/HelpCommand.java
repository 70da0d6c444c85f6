package io.gpusched.cli.command;

import io.gpusched.cli.args.NearestWord;
import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.args.UsageText;

import java.util.List;

/// Shows the same text as `--help`.
public final class HelpCommand implements CliCommand {
    private static final String PROGRAM = "gpu-cli";

    @Override
    public Syntax syntax() {
        return Syntax.of("help", "Show help for gpu-cli or for one command.")
                .taking(
                        Operand.atMostOne(
                                "COMMAND",
                                "Name of a command (default: overview of all commands)."))
                .examples("Example:", "  gpu-cli help submit");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        String name = parsedArguments.operand(0);
        (name.isEmpty() ? all() : of(named(name))).forEach(cliSession.printer().raw()::println);
        return 0;
    }

    /// Help for one command.
    public static List<String> of(CliCommand cliCommand) {
        return UsageText.of(PROGRAM, cliCommand.syntax(), GlobalOptions.ALL);
    }

    /// Help for the whole program.
    public static List<String> all() {
        return UsageText.of(
                PROGRAM,
                "Submit, watch and manage jobs on a gpu-scheduler cluster.",
                CommandCatalogue.all().stream().map(CliCommand::syntax).toList(),
                GlobalOptions.ALL,
                ExitStatus.HELP);
    }

    /// The command with this name. Any other name is a usage error with a suggestion.
    public static CliCommand named(String name) {
        CliCommand cliCommand = CommandCatalogue.named(name);
        if (cliCommand == null) {
            throw new UsageError("unknown command " + name + suggestion(name));
        }
        return cliCommand;
    }

    /// Suggestions for commands of other tools; otherwise the nearest spelling.
    private static String suggestion(String name) {
        return switch (name) {
            case "watch", "top" -> "; to watch jobs: gpu-cli list --watch";
            case "jobs", "ps" -> "; did you mean list?";
            case "run" -> "; did you mean submit?";
            case "delete", "kill", "stop" -> "; did you mean cancel?";
            case "srun" ->
                    "; to run a command and wait for it: gpu-cli submit --wait -- COMMAND; its"
                            + " output: gpu-cli logs JOB";
            case "salloc" ->
                    "; there are no interactive allocations; submit a job: gpu-cli submit run.sh";
            case "sacct" ->
                    "; to list finished jobs too: gpu-cli list --all -o wide; one job: gpu-cli get"
                            + " JOB";
            case "scontrol" -> "; did you mean get, hold, release, priority, cordon or drain?";
            case "describe" -> "; did you mean get?";
            default -> NearestWord.suggestion(name, CommandCatalogue.NAMES);
        };
    }
}
