package io.gpusched.lab;

import io.gpusched.lab.train.BadRunFile;
import io.gpusched.rl.ppo.BadCheckpoint;
import io.gpusched.rl.ppo.TrainingDiverged;
import io.gpusched.sim.trace.BadTrace;

import picocli.CommandLine;
import picocli.CommandLine.Command;

import java.io.PrintWriter;

/// The entry point of `bin/lab`. Exit codes: 0 for success, 1 when the command failed, 2 for wrong
/// usage.
@Command(
        name = "lab",
        mixinStandardHelpOptions = true,
        version = "gpu-scheduler lab",
        description =
                "Runs scheduling policies on simulated clusters and repeats published experiments.",
        subcommands = {
            SimulateCommand.class,
            CompareCommand.class,
            FgdCommand.class,
            GpuAllocatorCommand.class,
            PredictCommand.class,
            LearningCommand.class,
            EvaluateCommand.class,
            TrainCommand.class,
            PlotCommand.class,
            AblateCommand.class,
            EnvironmentCommand.class,
            CarbonCommand.class,
            SpotDeadlineCommand.class,
            SpotServingCommand.class,
            CarbonScalerCommand.class,
            HpaCommand.class,
            ReplicaCommand.class,
            PoolsCommand.class,
            SwfCommand.class,
            TrainOrderCommand.class,
            EvaluateOrderCommand.class,
            PhillyCommand.class,
            ExportCommand.class,
            JournalWhatIfCommand.class,
            CommandLine.HelpCommand.class
        })
public final class Main implements Runnable {
    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        var line = new CommandLine(new Main());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler(Main::tell);
        line.setExecutionStrategy(parsed -> run(line, parsed));
        return line;
    }

    /// Help may use colours. Other output may contain text from files, so control characters are
    /// escaped.
    private static int run(CommandLine line, CommandLine.ParseResult parsed) {
        Integer help = CommandLine.executeHelpRequest(parsed);
        if (help != null) {
            return help;
        }
        if (parsed.hasSubcommand()) {
            line.setOut(new PrintWriter(new SafeWriter(line.getOut()), true));
            line.setErr(new PrintWriter(new SafeWriter(line.getErr()), true));
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    /// Without a command, prints the list of commands.
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /// An error that the user can correct is one sentence; a defect of the program keeps its trace.
    private static int tell(Exception problem, CommandLine line, CommandLine.ParseResult parsed)
            throws Exception {
        if (problem instanceof UserError
                || problem instanceof BadTrace
                || problem instanceof BadCheckpoint
                || problem instanceof BadRunFile
                || problem instanceof TrainingDiverged) {
            line.getErr().println("lab: " + problem.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
        throw problem;
    }
}
