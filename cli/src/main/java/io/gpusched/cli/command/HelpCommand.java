package io.gpusched.cli.command;

import io.gpusched.cli.args.NearestWord;
import io.gpusched.cli.args.Operand;
import io.gpusched.cli.args.ParsedArguments;
import io.gpusched.cli.args.Syntax;
import io.gpusched.cli.args.UsageError;
import io.gpusched.cli.args.UsageText;

import java.util.List;

/// The same as `--help`, for those who type it as a word.
public final class HelpCommand implements CliCommand {
    private static final String PROGRAM = "gpu-cli";

    @Override
    public Syntax syntax() {
        return Syntax.of("help", "Show help for gpu-cli or for one command.")
                .taking(Operand.atMostOne("COMMAND", "A command."))
                .examples("Example:", "  gpu-cli help submit");
    }

    @Override
    public int run(CliSession cliSession, ParsedArguments parsedArguments) {
        String word = parsedArguments.operand(0);
        (word.isEmpty() ? all() : of(named(word))).forEach(cliSession.printer().raw()::println);
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
                "Submit, watch and manage jobs of a gpu-scheduler.",
                CommandCatalogue.all().stream().map(CliCommand::syntax).toList(),
                GlobalOptions.ALL);
    }

    /// The command of that name; for any other word, what may have been meant.
    public static CliCommand named(String word) {
        CliCommand cliCommand = CommandCatalogue.named(word);
        if (cliCommand == null) {
            throw new UsageError("unknown command " + word + meant(word));
        }
        return cliCommand;
    }

    /// Words of other programs, for what has another name here; else what is nearest in letters.
    private static String meant(String word) {
        return switch (word) {
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
                    "; to list finished jobs, too: gpu-cli list --all -o wide; one job: gpu-cli get"
                            + " JOB";
            case "scontrol" -> "; did you mean get, hold, release, priority, cordon or drain?";
            case "describe" -> "; did you mean get?";
            default -> NearestWord.suggestion(word, CommandCatalogue.NAMES);
        };
    }
}
